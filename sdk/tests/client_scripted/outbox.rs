//! Messages and verdicts that wait, and what is kept of them over a reload.

use crate::script::{Reply, SECOND, Script, Step};
use crate::turns::*;
use futures_util::future::join;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use turnwire::chat::{ChatState, DecisionState, MessageStatus, Phase, Verdict};
use turnwire::client::{BoxFuture, Chat, OnPending, Platform, Transport};
use turnwire::{ErrorKind, Result};

/// The storage of a browser: what its windows keep, and which of them live.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Places>>);

#[derive(Debug, Default)]
struct Places {
    texts: BTreeMap<(String, usize), String>,
    living: BTreeSet<usize>,
    windows: usize,
}

/// One window's place in it.
struct Place(Shelf, usize);

impl Platform for Place {
    fn save(&self, name: &str, text: Option<&str>) {
        let (mut places, key) = (self.0.0.lock().unwrap(), (name.to_owned(), self.1));
        match text {
            Some(text) => places.texts.insert(key, text.to_owned()),
            None => places.texts.remove(&key),
        };
    }

    fn take<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Vec<String>> {
        let mut places = self.0.0.lock().unwrap();
        let Places { texts, living, .. } = &mut *places;
        let is_left = |(known, window): &(String, usize), _: &mut String| {
            known == name && !living.contains(window)
        };
        let taken = texts.extract_if(.., is_left).map(|(_, text)| text).collect();
        Box::pin(std::future::ready(taken))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().living.remove(&self.1);
    }
}

impl Shelf {
    /// A chat in a window of its own.
    fn chat(&self, script: &Script) -> Chat<Script> {
        let mut places = self.0.lock().unwrap();
        places.windows += 1;
        let window = places.windows;
        places.living.insert(window);
        drop(places);
        Chat::on(script.client(), "customer-service", Place(self.clone(), window))
    }

    /// What a window that is gone has kept.
    fn leave(&self, name: &str, text: &str) {
        self.0.lock().unwrap().texts.insert((name.to_owned(), 0), text.to_owned());
    }

    fn is_empty(&self) -> bool {
        self.0.lock().unwrap().texts.is_empty()
    }

    /// As it is now, with every window gone.
    fn after_a_crash(&self) -> Self {
        let texts = self.0.lock().unwrap().texts.clone();
        Self(Arc::new(Mutex::new(Places { texts, windows: 100, ..Places::default() })))
    }
}

fn waits() -> [Reply; 2] {
    let stored = at(history(&[("user", "refund")]), "2", "0");
    [stored, named([numbered(0, &TURN[..2]), vec![Step::Hang]].concat())]
}

fn statuses(state: &ChatState) -> Vec<MessageStatus> {
    state.messages.iter().map(|message| message.status).collect()
}

const QUEUED: DecisionState = DecisionState::Queued { verdict: Verdict::Approve };

/// Survives: a verdict is given offline → it waits, can be withdrawn, and goes out once
#[test]
fn a_verdict_given_offline_goes_out_once_when_the_network_is_back() {
    let script = Script::new(waits());
    let chat = Shelf::default().chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        chat.set_online(false);
        for _ in 0..2 {
            chat.approve("a1").await.unwrap();
            assert_eq!(decision(&chat.snapshot()), QUEUED);
        }
        chat.flush().await.unwrap();
        assert_eq!(script.requests().len(), 2, "nothing goes out offline");
        script.reply([finished(&TURN)]);
        chat.set_online(true);
        chat.flush().await.unwrap();
        chat.flush().await.unwrap();
    });
    assert_eq!(paths(&script)[2..], ["approvals/a1/approve"]);
    assert_eq!(chat.snapshot().phase, Phase::Idle);
}

#[test]
fn a_verdict_that_waits_can_be_changed_and_withdrawn() {
    let script = Script::new(waits());
    let chat = Shelf::default().chat(&script);
    script.run(async {
        chat.open("s").await.unwrap();
        chat.set_online(false);
        chat.approve("a1").await.unwrap();
        chat.deny("a1").await.unwrap();
        assert_eq!(decision(&chat.snapshot()), DecisionState::Queued { verdict: Verdict::Deny });
        assert!(chat.withdraw_verdict("a1"));
        assert!(!chat.withdraw_verdict("a1"));
        chat.set_online(true);
        chat.flush().await.unwrap();
    });
    assert_eq!((script.requests().len(), decision(&chat.snapshot())), (2, DecisionState::Idle));
}

/// Survives: a verdict is given offline → it waits, can be withdrawn, and goes out once
#[test]
fn what_waits_is_there_after_a_reload_and_goes_out_then() {
    let (shelf, script) = (Shelf::default(), Script::new(waits()));
    let before = shelf.chat(&script);
    script.run(async {
        before.open("s").await.unwrap();
        before.set_online(false);
        before.approve("a1").await.unwrap();
        before.send_with("and thanks", OnPending::Keep).await.unwrap();
    });
    drop(before);
    script.reply(waits());
    let after = shelf.chat(&script);
    script.run(async {
        after.open("s").await.unwrap();
        let state = after.snapshot();
        assert_eq!((decision(&state), statuses(&state)[2]), (QUEUED, MessageStatus::Queued));
        let thanks = [SESSION, r#"{"type":"done","text":"You are welcome."}"#];
        script.reply([finished(&TURN), named(frames(&thanks))]);
        after.flush().await.unwrap();
    });
    assert_eq!(said(&after.snapshot()), ["refund", "Refunded.", "and thanks", "You are welcome."]);
    let sent = paths(&script).split_off(4);
    assert_eq!(sent, ["approvals/a1/approve", "agents/customer-service/messages/stream"]);
    assert!(shelf.is_empty(), "{:?}", shelf.0);
}

/// Survives: a message is given offline → it waits, can be withdrawn, and goes out once
#[test]
fn a_message_given_offline_waits_for_the_network_under_one_name() {
    let (shelf, script) = (Shelf::default(), Script::new([]));
    let before = shelf.chat(&script);
    before.set_online(false);
    script.run(before.send("refund")).unwrap();
    assert_eq!(statuses(&before.snapshot()), [MessageStatus::Queued]);
    let other = shelf.chat(&script);
    script.run(other.recover());
    assert!(other.snapshot().messages.is_empty(), "the first window lives");
    drop(before);
    let after = shelf.chat(&script);
    script.run(async {
        after.recover().await;
        after.recover().await;
    });
    assert_eq!(said(&after.snapshot()), ["refund"]);
    let hang = named(vec![Step::Break]);
    script.reply([hang, named(numbered(0, &TURN))]);
    script.run(after.flush()).unwrap();
    assert_eq!(said(&after.snapshot()), ["refund", "Refunded."]);
    assert!(header(&script, 0, "idempotency-key").is_some());
    assert!(shelf.is_empty());
}

#[test]
fn a_message_that_waits_can_be_withdrawn() {
    let script = Script::new([]);
    let chat = Shelf::default().chat(&script);
    chat.set_online(false);
    script.run(async {
        chat.send("one").await.unwrap();
        chat.send("two").await.unwrap();
        let key = chat.snapshot().messages[0].key;
        assert_eq!(chat.withdraw_message(key).as_deref(), Some("one"));
        assert_eq!(chat.withdraw_message(key), None);
    });
    assert_eq!(said(&chat.snapshot()), ["two"]);
}

#[test]
fn only_so_many_messages_wait() {
    let script = Script::new([]);
    let chat = Shelf::default().chat(&script);
    chat.set_online(false);
    let outcomes: Vec<_> = (0..17).map(|n| script.run(chat.send(&format!("{n}")))).collect();
    assert!(outcomes[..16].iter().all(Result::is_ok));
    assert_eq!(outcomes[16].as_ref().unwrap_err().kind(), ErrorKind::Busy);
}

/// A window that was lost while its message was on its way: what it has kept.
fn lost_window(script: &Script) -> Shelf {
    let shelf = Shelf::default();
    let window = shelf.chat(script);
    script.reply([named(vec![]).after(60 * SECOND)]);
    let leave = async {
        script.sleep(SECOND).await;
        let kept = shelf.after_a_crash();
        window.close();
        kept
    };
    script.run(join(window.send("refund"), leave)).1
}

/// Survives: the page is left while a message is on its way → it is shown again, and Retry joins its turn
#[test]
fn a_message_that_was_on_its_way_is_shown_again_and_sent_only_by_hand() {
    let script = Script::new([]);
    let after = lost_window(&script).chat(&script);
    script.run(async {
        after.recover().await;
        assert_eq!(statuses(&after.snapshot()), [MessageStatus::Failed]);
        after.flush().await.unwrap();
        assert_eq!(script.requests().len(), 1);
        script.reply([named(frames(&TURN))]);
        after.retry().await.unwrap();
    });
    assert_eq!(said(&after.snapshot()), ["refund", "Refunded."]);
    let names = [0, 1].map(|request| header(&script, request, "idempotency-key").unwrap());
    assert_eq!(names[0], names[1]);
}

#[test]
fn a_message_that_the_server_has_is_not_shown_twice_after_a_reload() {
    let script = Script::new([]);
    let kept = lost_window(&script);
    let (_, text) = kept.0.lock().unwrap().texts.pop_first().unwrap();
    kept.leave("turnwire http://h customer-service s", &text);
    script.reply(waits());
    let after = kept.chat(&script);
    script.run(after.open("s")).unwrap();
    assert_eq!(said(&after.snapshot()), ["refund"]);
}

/// Survives: the page is left while a verdict is on its way → it goes out again, and counts once
#[test]
fn a_verdict_that_was_on_its_way_goes_out_again_after_a_reload() {
    let (shelf, script) = (Shelf::default(), Script::new(waits()));
    let before = shelf.chat(&script);
    script.run(before.open("s")).unwrap();
    script.reply([finished(&TURN).after(60 * SECOND)]);
    let leave = async {
        script.sleep(SECOND).await;
        let kept = shelf.after_a_crash();
        before.close();
        kept
    };
    let (_, kept) = script.run(join(before.approve("a1"), leave));
    let after = kept.chat(&script);
    script.reply(waits());
    script.reply([finished(&TURN)]);
    script.run(async {
        after.open("s").await.unwrap();
        assert_eq!(decision(&after.snapshot()), QUEUED);
        after.flush().await.unwrap();
    });
    assert_eq!(said(&after.snapshot()), ["refund", "Refunded."]);
    assert!(kept.is_empty(), "{:?}", kept.0);
}

#[test]
fn what_waits_in_a_window_that_lives_is_left_to_it() {
    let (shelf, script) = (Shelf::default(), Script::new(waits()));
    let [first, second] = [(); 2].map(|()| shelf.chat(&script));
    script.run(first.open("s")).unwrap();
    script.run(first.send_with("one", OnPending::Keep)).unwrap();
    script.reply(waits());
    script.run(second.open("s")).unwrap();
    assert_eq!(said(&second.snapshot()), ["refund"]);
    script.run(second.send_with("two", OnPending::Keep)).unwrap();
    drop(first);
    let third = shelf.chat(&script);
    script.reply(waits());
    script.run(third.open("s")).unwrap();
    assert_eq!(said(&third.snapshot()), ["refund", "one"]);
    drop((second, third));
    let last = shelf.chat(&script);
    script.reply(waits());
    script.run(last.open("s")).unwrap();
    let mut kept = said(&last.snapshot());
    kept.sort();
    assert_eq!(kept, ["one", "refund", "two"]);
}

#[test]
fn a_session_that_cannot_be_fetched_keeps_what_waits_in_it() {
    let (shelf, script) = (Shelf::default(), Script::new(waits()));
    let before = shelf.chat(&script);
    script.run(before.open("s")).unwrap();
    script.run(before.send_with("one", OnPending::Keep)).unwrap();
    drop(before);
    script.reply([unreachable_server()]);
    let after = shelf.chat(&script);
    script.run(after.open("s")).unwrap_err();
    assert_eq!(said(&after.snapshot()), ["one"]);
    drop(after);
    assert!(!shelf.is_empty());
}

#[test]
fn a_message_that_did_not_get_through_keeps_its_name() {
    let script = Script::new([unreachable_server(), named(frames(&TURN))]);
    let chat = chat(&script);
    script.run(async {
        chat.send("refund").await.unwrap_err();
        chat.retry().await.unwrap();
    });
    let names = [0, 1].map(|request| header(&script, request, "idempotency-key").unwrap());
    assert_eq!(names[0], names[1]);
    assert_eq!(names[0].len(), 28);
}

#[test]
fn what_is_kept_and_cannot_be_read_is_left_out() {
    let (shelf, script) = (Shelf::default(), Script::new([]));
    shelf.leave("turnwire http://h customer-service ", "not JSON");
    let chat = shelf.chat(&script);
    script.run(chat.recover());
    assert!(chat.snapshot().messages.is_empty());
}

/// Survives: a message is written while a card waits → it is refused, or waits, as the caller says
#[test]
fn a_message_kept_behind_a_pending_item_goes_out_when_its_turn_is_over() {
    let own = [frames(&TURN[..2]), vec![Step::Wait(5 * SECOND)], frames(&TURN[2..])].concat();
    let thanks = [SESSION, r#"{"type":"done","text":"You are welcome."}"#];
    let script = Script::new([named(own), finished(&TURN), named(frames(&thanks))]);
    let chat = chat(&script);
    let person = async {
        script.sleep(SECOND).await;
        chat.send_with("thanks", OnPending::Keep).await.unwrap();
        assert_eq!(statuses(&chat.snapshot())[2], MessageStatus::Queued);
        chat.approve("a1").await.unwrap();
    };
    let (sent, ()) = script.run(join(chat.send("refund"), person));
    assert!(sent.is_ok());
    assert_eq!(said(&chat.snapshot()), ["refund", "Refunded.", "thanks", "You are welcome."]);
}

#[test]
fn a_message_that_denies_what_is_pending_goes_out_behind_the_denial() {
    let denied = r#"{"type":"actauth:decision","tool":"issue_refund","decision":"deny","reason":"r — human denied"}"#;
    let stopped = r#"{"type":"done","text":"Stopped.","stopReason":"denied"}"#;
    let rest = [vec![Step::Wait(5 * SECOND)], frames(&[denied, stopped])].concat();
    let own = [frames(&TURN[..2]), rest].concat();
    let body = format!(
        r#"{{"text":"Stopped.","stopReason":"denied","sessionId":"s","events":[{SESSION},{ASK},{denied},{stopped}]}}"#
    );
    let hello = [SESSION, r#"{"type":"done","text":"Hello."}"#];
    let script = Script::new([named(own), Reply::json(200, body), named(frames(&hello))]);
    let chat = chat(&script);
    let person = async {
        script.sleep(SECOND).await;
        assert_eq!(chat.send("hi").await.unwrap_err().items(), ["a1"]);
        chat.send_with("hi", OnPending::Deny).await
    };
    let (first, second) = script.run(join(chat.send("refund"), person));
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(paths(&script)[1], "approvals/a1/deny");
    assert_eq!(said(&chat.snapshot()), ["refund", "hi", "Hello."]);
}

#[test]
fn denying_ends_after_32_decisions_and_where_nothing_moves() {
    let pending = |id: &str| ASK.replace("\"a1\"", &format!("{id:?}"));
    let answer = |ids: &[String]| {
        let events: Vec<_> =
            std::iter::once(SESSION.to_owned()).chain(ids.iter().map(|id| pending(id))).collect();
        let id = ids.last().unwrap();
        let body = format!(
            r#"{{"pending":true,"type":"approval","id":"{id}","sessionId":"s","tool":"t","args":{{}},"scope":{{"tenant":"d","environment":"p","agent":"c"}},"reason":"r","approveUrl":"/a","denyUrl":"/d","statusUrl":"/s","events":[{}]}}"#,
            events.join(",")
        );
        Reply::json(202, body)
    };
    let ids: Vec<_> = (1..=40).map(|n| format!("a{n}")).collect();
    let script = Script::new(waits());
    let chat = chat(&script);
    let outcome = script.run(async {
        chat.open("s").await.unwrap();
        script.reply((2..=40).map(|n| answer(&ids[..n])));
        chat.send_with("hi", OnPending::Deny).await
    });
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::DecisionLimit);
    let denials = paths(&script).iter().filter(|path| path.ends_with("/deny")).count();
    assert_eq!(denials, 32);
}

#[test]
fn an_item_that_waits_is_in_view_before_the_server_has_answered() {
    let (shelf, script) = (Shelf::default(), Script::new(waits()));
    let before = shelf.chat(&script);
    script.run(before.open("s")).unwrap();
    drop(before);
    let [slow, replay] = waits();
    script.reply([slow.after(5 * SECOND), replay]);
    let after = shelf.chat(&script);
    let look = async {
        script.sleep(SECOND).await;
        after.snapshot()
    };
    let (opened, early) = script.run(join(after.open("s"), look));
    opened.unwrap();
    assert_eq!((early.phase, early.pending.len()), (Phase::Loading, 1));
    let state = after.snapshot();
    assert_eq!((said(&state), &state.pending), (vec!["refund".to_owned()], &early.pending));
}

#[test]
fn an_item_that_was_decided_meanwhile_is_not_kept_in_view() {
    let (shelf, script) = (Shelf::default(), Script::new(waits()));
    let before = shelf.chat(&script);
    script.run(before.open("s")).unwrap();
    drop(before);
    let stored = at(history(&[("user", "refund")]), "4", "0");
    script.reply([stored, named(numbered(0, &TURN))]);
    let after = shelf.chat(&script);
    script.run(after.open("s")).unwrap();
    assert!(after.snapshot().pending.is_empty());
    assert!(shelf.is_empty(), "{:?}", shelf.0);
}
