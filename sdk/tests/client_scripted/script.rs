//! A transport that plays replies from a script, and the clock that it runs on.
//!
//! Time stands still while anything can go on, then jumps to the next moment that something waits
//! for. A future is polled again only when it was woken, so a lost wake-up fails a test.

use bytes::Bytes;
use futures_core::Stream;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker, ready};
use std::time::Duration;
use turnwire::client::{
    CancelToken, EventStream, Headers, LoopClient, Request, RequestOptions, Response, Transport,
};
use turnwire::loopengine::EventFrame;
use turnwire::{Error, ErrorKind, Result};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// What a body does next.
#[derive(Clone)]
pub(crate) enum Step {
    Bytes(Bytes),
    Wait(Duration),
    Break,
    Hang,
}

/// What a request is answered with.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) delay: Duration,
    pub(crate) refused: bool,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) redirected: bool,
    pub(crate) steps: Vec<Step>,
}

impl Reply {
    pub(crate) fn new(status: u16, media_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            delay: Duration::ZERO,
            refused: false,
            status,
            headers: vec![("content-type", media_type)],
            redirected: false,
            steps: vec![Step::Bytes(body.into())],
        }
    }

    pub(crate) fn json(status: u16, body: impl Into<Bytes>) -> Self {
        Self::new(status, "application/json", body)
    }

    pub(crate) fn stream(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut reply = Self::new(200, "text/event-stream", "");
        reply.steps = steps.into_iter().collect();
        reply
    }

    /// One JSON text a line, as AgentsKit's servers answer.
    pub(crate) fn lines(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut reply = Self::new(200, "application/x-ndjson; charset=utf-8", "");
        reply.steps = steps.into_iter().collect();
        reply
    }

    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }
}

pub(crate) fn bytes(text: &str) -> Step {
    Step::Bytes(Bytes::copy_from_slice(text.as_bytes()))
}

#[derive(Default)]
struct State {
    now: Duration,
    timers: BTreeMap<u64, (Duration, Option<Waker>)>,
    next_timer: u64,
    jitters: f64,
    has_one_name: bool,
    replies: VecDeque<Reply>,
    requests: Vec<Request>,
    cancelled: usize,
    switches: Vec<(Duration, CancelToken)>,
}

#[derive(Clone, Default)]
pub(crate) struct Script(Rc<RefCell<State>>);

impl Script {
    pub(crate) fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script = Self::default();
        script.0.borrow_mut().replies = replies.into_iter().collect();
        script
    }

    /// Adds replies to those that are left.
    pub(crate) fn reply(&self, replies: impl IntoIterator<Item = Reply>) {
        self.0.borrow_mut().replies.extend(replies);
    }

    /// From now on everything gets the same name, so that replies can be written with it.
    pub(crate) fn with_one_name(&self) -> Self {
        self.0.borrow_mut().has_one_name = true;
        self.clone()
    }

    pub(crate) fn client(&self) -> LoopClient<Self> {
        LoopClient::new(self.clone(), "http://h/").unwrap()
    }

    /// Opens a stream and reads it to its end: the events, and the error if there was one.
    pub(crate) fn play(&self, client: &LoopClient<Self>) -> (Vec<EventFrame>, Option<Error>) {
        self.play_with(client, &RequestOptions::default())
    }

    pub(crate) fn play_with(
        &self,
        client: &LoopClient<Self>,
        options: &RequestOptions,
    ) -> (Vec<EventFrame>, Option<Error>) {
        self.run(async {
            match client.stream("a", "m", options).await {
                Ok(mut stream) => drain(&mut stream).await,
                Err(error) => (Vec::new(), Some(error)),
            }
        })
    }

    /// Switches the token when its time comes.
    pub(crate) fn switch_at(&self, at: Duration, token: &CancelToken) {
        self.0.borrow_mut().switches.push((at, token.clone()));
    }

    pub(crate) fn now(&self) -> Duration {
        self.0.borrow().now
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.0.borrow().requests.clone()
    }

    /// How many requests were dropped before their end.
    pub(crate) fn cancelled(&self) -> usize {
        self.0.borrow().cancelled
    }

    /// How many timers are armed.
    pub(crate) fn armed(&self) -> usize {
        self.0.borrow().timers.len()
    }

    /// Runs a future to its end.
    pub(crate) fn run<F: Future>(&self, future: F) -> F::Output {
        let bell = Arc::new(Bell(AtomicBool::new(true)));
        let waker = Waker::from(bell.clone());
        let mut future = pin!(future);
        loop {
            while bell.0.swap(false, Ordering::Relaxed) {
                if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker))
                {
                    return output;
                }
            }
            self.jump();
        }
    }

    fn jump(&self) {
        let mut state = self.0.borrow_mut();
        let timers = state.timers.values().map(|(due, _)| *due);
        let switches = state.switches.iter().map(|(due, _)| *due);
        let next = timers.chain(switches).filter(|due| *due > state.now).min();
        state.now = next.expect("nothing is left to wait for, and nobody was woken");
        let now = state.now;
        let due: Vec<_> = state.timers.values_mut().filter(|(due, _)| *due <= now).collect();
        let wakers: Vec<_> = due.into_iter().filter_map(|(_, waker)| waker.take()).collect();
        let tokens: Vec<_> = state.switches.extract_if(.., |(due, _)| *due <= now).collect();
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
        tokens.iter().for_each(|(_, token)| token.cancel());
    }
}

pub(crate) async fn drain(stream: &mut EventStream<Script>) -> (Vec<EventFrame>, Option<Error>) {
    let mut frames = Vec::new();
    while let Some(item) = stream.next().await {
        match item {
            Ok(frame) => frames.push(frame),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing comes after an error");
                return (frames, Some(error));
            }
        }
    }
    assert!(stream.next().await.is_none(), "nothing comes after the end");
    (frames, None)
}

struct Bell(AtomicBool);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Transport for Script {
    type Body = ScriptBody;
    type Sleep = ScriptSleep;

    async fn send(&self, request: Request) -> Result<Response<ScriptBody>> {
        let reply = {
            let mut state = self.0.borrow_mut();
            let url = request.url.clone();
            state.requests.push(request);
            let reply = state.replies.pop_front();
            reply.unwrap_or_else(|| panic!("no reply is left for {url}"))
        };
        let open = Open(self.clone(), true);
        if reply.delay > Duration::ZERO {
            self.sleep(reply.delay).await;
        }
        let body = ScriptBody { open, steps: reply.steps.into(), waiting: None };
        if reply.refused {
            return Err(body.broken());
        }
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Ok(Response {
            status: reply.status,
            headers: Headers::from_iter(reply.headers.into_iter().map(owned)),
            redirected: reply.redirected,
            body,
        })
    }

    fn sleep(&self, duration: Duration) -> ScriptSleep {
        let mut state = self.0.borrow_mut();
        state.next_timer += 1;
        let (id, due) = (state.next_timer, state.now + duration);
        state.timers.insert(id, (due, None));
        ScriptSleep(self.clone(), id)
    }

    /// As good as one half, and another one each time unless there is but one name.
    fn jitter(&self) -> f64 {
        let mut state = self.0.borrow_mut();
        state.jitters += if state.has_one_name { 0.0 } else { 1.0 };
        0.5 + state.jitters * 1e-12
    }
}

pub(crate) struct ScriptSleep(Script, u64);

impl Future for ScriptSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.0.borrow_mut();
        let now = state.now;
        let timer = state.timers.get_mut(&self.1).unwrap();
        if timer.0 <= now {
            return Poll::Ready(());
        }
        timer.1 = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for ScriptSleep {
    fn drop(&mut self) {
        self.0.0.borrow_mut().timers.remove(&self.1);
    }
}

/// Counts a request as cancelled when it is dropped open.
struct Open(Script, bool);

impl Drop for Open {
    fn drop(&mut self) {
        if self.1 {
            self.0.0.borrow_mut().cancelled += 1;
        }
    }
}

pub(crate) struct ScriptBody {
    open: Open,
    steps: VecDeque<Step>,
    waiting: Option<ScriptSleep>,
}

impl ScriptBody {
    fn broken(mut self) -> Error {
        self.open.1 = false;
        Error::new(ErrorKind::Network, "refused")
    }
}

impl Stream for ScriptBody {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        assert!(self.open.1, "a body is not polled after its end");
        loop {
            if let Some(sleep) = &mut self.waiting {
                ready!(Pin::new(sleep).poll(cx));
                self.waiting = None;
            }
            match self.steps.pop_front() {
                Some(Step::Bytes(bytes)) => return Poll::Ready(Some(Ok(bytes))),
                Some(Step::Wait(time)) => self.waiting = Some(self.open.0.sleep(time)),
                Some(Step::Hang) => {
                    self.steps.push_front(Step::Hang);
                    return Poll::Pending;
                }
                Some(Step::Break) => {
                    self.open.1 = false;
                    return Poll::Ready(Some(Err(Error::new(ErrorKind::Network, "broke"))));
                }
                None => {
                    self.open.1 = false;
                    return Poll::Ready(None);
                }
            }
        }
    }
}
