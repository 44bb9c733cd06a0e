//! Several windows of one browser that show the same session.

use crate::script::{Reply, SECOND, Script, Step};
use crate::turns::*;
use futures_util::future::{join, join3, pending};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use turnwire::chat::{Decider, DecisionState, Phase, Verdict};
use turnwire::client::{
    BoxFuture, CancelToken, Chat, Happened, Heard, Lead, News, Platform, Transport,
};

/// What the windows share: a lock, and what they tell each other.
#[derive(Clone, Default)]
struct Browser(Arc<Mutex<Shared>>);

#[derive(Default)]
struct Shared {
    is_led: bool,
    waiting: VecDeque<CancelToken>,
    /// What each window has not heard yet.
    told: Vec<VecDeque<News>>,
}

/// One of them.
struct Window {
    browser: Browser,
    number: usize,
}

/// Held by the window that leads.
struct Held(Browser);

impl Drop for Held {
    fn drop(&mut self) {
        let mut shared = self.0.0.lock().unwrap();
        shared.is_led = false;
        shared.waiting.drain(..).for_each(|waiting| waiting.cancel());
    }
}

impl Browser {
    fn window(&self) -> Window {
        let mut shared = self.0.lock().unwrap();
        shared.told.push(VecDeque::new());
        Window { browser: self.clone(), number: shared.told.len() - 1 }
    }

    fn take_lead(&self) -> Option<Lead> {
        let mut shared = self.0.lock().unwrap();
        let is_free = !std::mem::replace(&mut shared.is_led, true);
        is_free.then(|| Box::new(Held(self.clone())) as Lead)
    }

    /// Tells a window what it has not heard; true if there is something to follow.
    fn deliver(&self, number: usize, chat: &Chat<Script>) -> bool {
        let news: Vec<_> = self.0.lock().unwrap().told[number].drain(..).collect();
        news.iter().filter(|news| chat.hear(news) != Heard::Shown).count() > 0
    }

    fn led(&self) -> bool {
        self.0.lock().unwrap().is_led
    }
}

impl Platform for Window {
    fn lead<'a>(&'a self, _: &'a str, patience: bool) -> BoxFuture<'a, Option<Lead>> {
        Box::pin(async move {
            loop {
                let lead = self.browser.take_lead();
                if lead.is_some() || !patience {
                    return lead;
                }
                let free = CancelToken::new();
                self.browser.0.lock().unwrap().waiting.push_back(free.clone());
                free.cancelled().await;
            }
        })
    }

    fn has_peers(&self) -> bool {
        true
    }

    fn tell(&self, news: &News) {
        let mut shared = self.browser.0.lock().unwrap();
        for (number, told) in shared.told.iter_mut().enumerate() {
            if number != self.number {
                told.push_back(news.clone());
            }
        }
    }
}

fn window(browser: &Browser, script: &Script) -> Rc<Chat<Script>> {
    Rc::new(Chat::on(script.client(), "customer-service", browser.window()))
}

/// Delivers what the windows tell each other, and follows the turns that begin, for ever.
async fn connect(script: &Script, browser: &Browser, chats: &[Rc<Chat<Script>>]) {
    let following = RefCell::new(Vec::new());
    let post = async {
        loop {
            script.sleep(SECOND / 100).await;
            for (number, chat) in chats.iter().enumerate() {
                if browser.deliver(number, chat) {
                    following.borrow_mut().push(Rc::clone(chat));
                }
            }
        }
    };
    let follow = async {
        loop {
            let next = following.borrow_mut().pop();
            match next {
                Some(chat) => drop(chat.follow_turn().await),
                None => script.sleep(SECOND / 100).await,
            }
        }
    };
    join::<_, _>(post, follow).await;
    pending::<()>().await;
}

/// Runs `story` while the windows are connected.
fn play<V>(
    script: &Script,
    browser: &Browser,
    chats: &[Rc<Chat<Script>>],
    story: impl Future<Output = V>,
) -> V {
    use futures_util::future::{Either, select};
    use std::pin::pin;
    script.run(async {
        match select(pin!(story), pin!(connect(script, browser, chats))).await {
            Either::Left((value, _)) => value,
            Either::Right(_) => unreachable!("windows stay connected"),
        }
    })
}

const HELLO: [&str; 2] = [SESSION, r#"{"type":"done","text":"Hello."}"#];

/// Two windows that show the same finished turn.
fn two(script: &Script, browser: &Browser) -> [Rc<Chat<Script>>; 2] {
    let chats = [(); 2].map(|()| window(browser, script));
    let stored = || {
        let stored = history(&[("user", "hi"), ("assistant", "Hello.")]);
        let stored = stored.header("x-turnwire-turn", "t0");
        stored.header("x-turnwire-events", "2").header("x-turnwire-before", "0")
    };
    for chat in &chats {
        script
            .reply([stored(), Reply::stream(numbered(0, &HELLO)).header("x-turnwire-turn", "t0")]);
        script.run(chat.open("s")).unwrap();
    }
    chats
}

/// Survives: several windows show one session → one of them reads its stream, and all show it
#[test]
fn one_window_reads_and_all_show_the_turn() {
    let (script, browser) = (Script::new([]), Browser::default());
    let chats = two(&script, &browser);
    let before = script.requests().len();
    let rest = [vec![Step::Wait(9 * SECOND)], frames(&TURN[2..])].concat();
    script.reply([named([frames(&TURN[..2]), rest].concat()), finished(&TURN)]);
    let other = async {
        script.sleep(5 * SECOND).await;
        let state = chats[1].snapshot();
        assert_eq!((state.phase, state.pending.len()), (Phase::Waiting, 1));
        chats[1].approve("a1").await.unwrap();
        script.sleep(9 * SECOND).await;
    };
    let (sent, ()) = play(&script, &browser, &chats, join(chats[0].send("refund"), other));
    sent.unwrap();
    let [first, second] = [0, 1].map(|n| chats[n].snapshot());
    assert_eq!(said(&first), ["hi", "Hello.", "refund", "Refunded."]);
    assert_eq!(said(&first), said(&second));
    let verdict = Some(Verdict::Approve);
    let by = |by| DecisionState::Settled { verdict: verdict.clone(), by: Some(by) };
    assert_eq!(decision(&first), by(Decider::Elsewhere));
    assert_eq!(decision(&second), by(Decider::Here));
    let asked: Vec<_> = paths(&script).split_off(before);
    assert_eq!(asked, ["agents/customer-service/messages/stream", "approvals/a1/approve"]);
    assert!(!browser.led(), "nobody leads when nothing runs");
}

#[test]
fn a_verdict_under_way_is_seen_in_the_other_window_at_once() {
    let (script, browser) = (Script::new([]), Browser::default());
    let chats = two(&script, &browser);
    let refused = Reply::json(503, "{}").after(4 * SECOND);
    script.reply([named([frames(&TURN[..2]), vec![Step::Hang]].concat()), refused]);
    let story = async {
        script.sleep(SECOND).await;
        let seen = async {
            script.sleep(SECOND).await;
            decision(&chats[1].snapshot())
        };
        let (failed, seen) = join(chats[0].approve("a1"), seen).await;
        assert!(failed.is_err());
        assert_eq!(seen, DecisionState::Elsewhere { verdict: Verdict::Approve });
        script.sleep(SECOND).await;
        assert_eq!(decision(&chats[1].snapshot()), DecisionState::Idle, "it did not get through");
        chats[0].close();
    };
    let _ = play(&script, &browser, &chats, join(chats[0].send("refund"), story));
}

/// Survives: the window that reads the stream is closed → another one goes on where it stopped
#[test]
fn when_the_window_that_reads_is_gone_another_goes_on_where_it_stopped() {
    let (script, browser) = (Script::new([]), Browser::default());
    let chats = two(&script, &browser);
    let before = script.requests().len();
    script.reply([
        named([frames(&TURN[..2]), vec![Step::Hang]].concat()),
        named(numbered(2, &TURN[2..])),
    ]);
    let story = async {
        script.sleep(SECOND).await;
        chats[0].close();
        script.sleep(SECOND).await;
        chats[1].snapshot()
    };
    let (sent, state) = play(&script, &browser, &chats, join(chats[0].send("refund"), story));
    assert!(sent.is_err());
    assert_eq!(said(&state), ["hi", "Hello.", "refund", "Refunded."]);
    assert_eq!(state.messages[3].parts.len(), 2);
    assert_eq!(paths(&script)[before + 1..], ["turns/t/stream"]);
    assert_eq!(header(&script, before + 1, "last-event-id").as_deref(), Some("1"));
}

#[test]
fn a_window_that_is_opened_during_the_turn_hears_what_it_lacks() {
    let (script, browser) = (Script::new([]), Browser::default());
    let chats = [two(&script, &browser).to_vec(), vec![window(&browser, &script)]].concat();
    let rest = [vec![Step::Wait(5 * SECOND)], frames(&TURN[2..])].concat();
    script.reply([named([frames(&TURN[..2]), rest].concat())]);
    let opened = async {
        script.sleep(SECOND).await;
        let messages = [("user", "hi"), ("assistant", "Hello."), ("user", "refund")];
        let stored = at(history(&messages), "1", "2");
        script.reply([stored, named([numbered(0, &TURN[..1]), vec![Step::Hang]].concat())]);
        chats[2].open("s").await.unwrap();
        chats[2].follow_turn().await.unwrap();
    };
    let rest = script.sleep(20 * SECOND);
    let (sent, (), ()) =
        play(&script, &browser, &chats, join3(chats[0].send("refund"), opened, rest));
    sent.unwrap();
    let state = chats[2].snapshot();
    assert_eq!(said(&state), ["hi", "Hello.", "refund", "Refunded."]);
    let streams = paths(&script).iter().filter(|path| path.ends_with("turns/t/stream")).count();
    assert_eq!(streams, 1, "the replay alone");
}

#[test]
fn what_is_told_of_another_session_is_not_for_this_window() {
    let (script, browser) = (Script::new([]), Browser::default());
    let chats = two(&script, &browser);
    let stranger = window(&browser, &script);
    script.reply([named(frames(&TURN))]);
    let everyone = [chats.to_vec(), vec![Rc::clone(&stranger)]].concat();
    play(&script, &browser, &everyone, chats[0].send("refund")).unwrap();
    assert!(stranger.snapshot().messages.is_empty());
}

#[test]
fn a_window_that_did_not_hear_the_beginning_asks_for_it() {
    let (script, browser) = (Script::new([]), Browser::default());
    let [first, second] = two(&script, &browser);
    script.reply([named(frames(&TURN))]);
    script.run(first.send("refund")).unwrap();
    let mut told: Vec<_> = browser.0.lock().unwrap().told[1].drain(..).collect();
    let events = told.pop().unwrap();
    assert!(matches!(events.what, Happened::Events { .. }));
    assert_eq!(second.hear(&events), Heard::Gap);
    let messages = [("user", "hi"), ("assistant", "Hello."), ("user", "refund")];
    script.reply([at(history(&messages), "4", "2"), named(numbered(0, &TURN))]);
    script.run(async { second.catch_up().await.and(second.follow_turn().await) }).unwrap();
    assert_eq!(said(&second.snapshot()), said(&first.snapshot()));
    assert_eq!(second.hear(&events), Heard::Shown);
}
