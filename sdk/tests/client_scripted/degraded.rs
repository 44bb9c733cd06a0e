//! A chat whose server cannot join a turn again.

use crate::script::{Reply, SECOND, Script, Step};
use crate::turns::*;
use futures_util::future::join;
use turnwire::chat::{Connection, DecisionState, MessageStatus, Phase};
use turnwire::client::{Chat, Reconnect, Transport};
use turnwire::{ErrorKind, chat::ChatState};

fn look(messages: &[(&str, &str)], pending: &[&str]) -> [Reply; 3] {
    [history(messages), approvals(pending), no_questions()]
}

const STORED: [(&str, &str); 2] = [("user", "refund"), ("assistant", "Refunded.")];

fn broken(events: &[&str]) -> Reply {
    Reply::stream([frames(events), vec![Step::Break]].concat())
}

fn items(state: &ChatState) -> Vec<(String, DecisionState)> {
    let items = state.messages.iter().flat_map(|message| message.items());
    items.map(|item| (item.id.clone(), item.decision.clone())).collect()
}

/// Survives: the server cannot join a turn again → its history and lists are asked for, and the state says so
#[test]
fn a_turn_is_asked_for_until_it_is_stored_and_the_state_says_so() {
    let script = Script::new(
        [broken(&[SESSION])]
            .into_iter()
            .chain(look(&[], &[]))
            .chain(look(&[], &[]))
            .chain(look(&STORED, &[])),
    );
    let chat = chat(&script);
    let watch = async {
        script.sleep(SECOND / 100).await;
        chat.snapshot().connection
    };
    let (sent, meanwhile) = script.run(join(chat.send("refund"), watch));
    assert!(sent.is_ok());
    assert_eq!(meanwhile, Connection::Degraded);
    let state = chat.snapshot();
    assert_eq!(
        (said(&state), state.phase),
        (vec!["refund".into(), "Refunded.".into()], Phase::Idle)
    );
    assert_eq!((state.connection, &state.last_error), (Connection::Degraded, &None));
    let posts = script.requests().iter().filter(|request| request.body.is_some()).count();
    assert_eq!((posts, script.requests().len()), (1, 10), "the message was sent once");
}

#[test]
fn an_older_turn_of_the_same_words_is_not_taken_for_this_one() {
    let hello = Reply::stream(frames(&[SESSION, r#"{"type":"done","text":"Hello."}"#]));
    let old = [("user", "hi"), ("assistant", "Hello.")];
    let new = [old[0], old[1], ("user", "hi"), ("assistant", "Again.")];
    let script = Script::new(
        [hello, broken(&[SESSION])].into_iter().chain(look(&old, &[])).chain(look(&new, &[])),
    );
    let chat = chat(&script);
    script.run(async { chat.send("hi").await.and(chat.send("hi").await) }).unwrap();
    assert_eq!(said(&chat.snapshot()), ["hi", "Hello.", "hi", "Again."]);
}

#[test]
fn a_list_adds_what_is_missing_and_retires_what_it_lacks() {
    let script = Script::new(
        [broken(&[SESSION, ASK])].into_iter().chain(look(&[], &["a2"])).chain(look(&STORED, &[])),
    );
    let chat = chat(&script);
    let watch = async {
        script.sleep(SECOND / 3).await;
        items(&chat.snapshot())
    };
    let (sent, seen) = script.run(join(chat.send("refund"), watch));
    assert!(sent.is_ok());
    let reason = "it is no longer listed".to_owned();
    let gone = DecisionState::Stale { reason, expired: false };
    assert_eq!(seen, [("a1".to_owned(), gone), ("a2".to_owned(), DecisionState::Idle)]);
}

/// Survives: the server cannot join a turn again → its history and lists are asked for, and the state says so
#[test]
fn an_item_that_arrives_while_the_list_is_in_flight_survives_it() {
    let [stored, slow, none] = look(&[], &["a1"]);
    let next = ASK.replace("\"a1\"", "\"a3\"");
    let body = format!(
        r#"{{"pending":true,"type":"approval","id":"a3","sessionId":"s","tool":"t","args":{{}},"scope":{{"tenant":"d","environment":"p","agent":"c"}},"reason":"r","approveUrl":"/a","denyUrl":"/d","statusUrl":"/s","events":[{SESSION},{ASK},{ALLOWED},{next}]}}"#
    );
    let answered = Reply::json(202, body);
    let script = Script::new([broken(&[SESSION, ASK]), stored.after(SECOND), answered, slow, none]);
    let client =
        script.client().with_reconnect(Reconnect { attempts: 1, base: SECOND / 1000, cap: SECOND });
    let chat = Chat::new(client, "a");
    let approve = async {
        script.sleep(SECOND / 2).await;
        chat.approve("a1").await.unwrap();
    };
    let (sent, ()) = script.run(join(chat.send("refund"), approve));
    assert_eq!(sent.unwrap_err().kind(), ErrorKind::Network);
    let state = chat.snapshot();
    let ids: Vec<_> = state.pending.iter().map(|item| item.id.as_str()).collect();
    assert_eq!((ids, state.phase), (vec!["a3"], Phase::Waiting));
    assert!(matches!(items(&state)[0].1, DecisionState::Settled { .. }));
}

#[test]
fn asking_ends_after_so_many_answers_without_news() {
    let looks = (0..3).flat_map(|_| look(&[], &[]));
    let script = Script::new([broken(&[SESSION])].into_iter().chain(looks));
    let client = script.client().with_reconnect(Reconnect { attempts: 3, ..Reconnect::default() });
    let chat = Chat::new(client, "a");
    assert_eq!(script.run(chat.send("refund")).unwrap_err().kind(), ErrorKind::Network);
    let state = chat.snapshot();
    assert_eq!((state.messages[1].status, state.phase), (MessageStatus::Interrupted, Phase::Idle));
    assert_eq!(state.last_error.as_ref().unwrap().code, "network");
}

#[test]
fn a_session_that_waits_is_opened_degraded() {
    let script = Script::new(look(&[("user", "refund")], &["a1"]));
    let chat = chat(&script);
    script.run(chat.open("s")).unwrap();
    let state = chat.snapshot();
    assert_eq!((state.connection, state.pending.len()), (Connection::Degraded, 1));
}

#[test]
fn a_verdict_under_way_outlives_what_is_stored_meanwhile() {
    let script = Script::new(look(&[("user", "refund")], &["a1"]));
    let chat = chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        chat.set_online(false);
        chat.approve("a1").await.unwrap();
        script.reply(look(&[("user", "refund")], &["a1"]));
        chat.open("s").await.unwrap();
    });
    let queued = DecisionState::Queued { verdict: turnwire::chat::Verdict::Approve };
    assert_eq!(decision(&chat.snapshot()), queued);
}

#[test]
fn a_message_kept_behind_an_item_goes_out_after_the_verdict() {
    let script = Script::new(look(&[("user", "refund")], &["a1"]));
    let chat = chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        chat.send_with("thanks", turnwire::client::OnPending::Keep).await.unwrap();
        let thanks = Reply::stream(frames(&[SESSION, r#"{"type":"done","text":"Welcome."}"#]));
        script.reply([finished(&TURN), thanks]);
        chat.approve("a1").await.unwrap();
        chat.flush().await.unwrap();
    });
    assert_eq!(said(&chat.snapshot()), ["refund", "Refunded.", "thanks", "Welcome."]);
}
