//! The session behind the components: its state as signals, its methods as actions.

use crate::model::address;
use crate::model::agentskit::conversation::{self, Doing, Request, Sent, is_taken};
use crate::model::agentskit::fault::{self, Remedy};
use crate::model::composer;
use crate::ui::browser;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use turnwire::agentskit::{ComponentFrame, SnapshotCursor};
use turnwire::chat::{ChatFault, Phase};
use turnwire::client::{
    FetchTransport, LoopClient, RequestOptions, TurnClient, TurnInput, TurnPhase, TurnSession,
    TurnState,
};
use turnwire::store::Subscription;
use turnwire::{Error, ErrorKind, Result};

/// What components share; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns {
    state: RwSignal<Arc<TurnState>>,
    doing: RwSignal<Doing>,
    /// What the page itself ran into.
    trouble: RwSignal<Option<ChatFault>>,
    draft: RwSignal<String>,
    is_online: RwSignal<bool>,
    /// Whether the session is there to come back to.
    is_begun: RwSignal<bool>,
    live: StoredValue<Live, LocalStorage>,
}

/// The session and its subscription. Both end with the component that owns them, and whatever is
/// under way then is cancelled.
#[derive(Debug)]
struct Live {
    line: Line,
    _subscription: Subscription<TurnState>,
}

/// The ways to the server.
#[derive(Debug, Clone)]
struct Line {
    session: TurnSession<FetchTransport>,
    /// Where the newest snapshot is.
    snapshot: String,
    /// For what the protocol has no word: ending a turn.
    server: LoopClient<FetchTransport>,
    agent: String,
}

impl Turns {
    /// A session with an agent of the page's own server, owned by the calling component: the one of
    /// this id, or a new one.
    pub(super) fn start(agent: &str, id: Option<String>) -> Self {
        let known = id.and_then(|id| SnapshotCursor::new(id).ok());
        let is_begun = known.is_some();
        let line = Line::to(agent, known);
        // Outlives the component if an event arrives while it goes; a plain signal would panic.
        let state = ArcRwSignal::new(line.session.snapshot());
        let latest = state.clone();
        let subscription = line.session.subscribe(move |state| latest.set(Arc::clone(state)));
        let turns = Self {
            state: state.into(),
            doing: RwSignal::default(),
            trouble: RwSignal::default(),
            draft: RwSignal::default(),
            is_online: RwSignal::new(browser::is_online()),
            is_begun: RwSignal::new(is_begun),
            live: StoredValue::new_local(Live { line, _subscription: subscription }),
        };
        if is_begun {
            turns.open();
        }
        turns
    }

    /// The session of the surrounding component.
    pub(super) fn expect() -> Self {
        expect_context()
    }

    /// A value that follows the state and tells its readers only when it changes.
    pub(super) fn memo<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&TurnState) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        Memo::new(move |_| self.state.with(|state| read(state)))
    }

    /// The state, tracked.
    pub(super) fn state(self) -> Arc<TurnState> {
        self.state.get()
    }

    /// What the page is doing.
    pub(super) fn doing(self) -> RwSignal<Doing> {
        self.doing
    }

    /// What the page itself ran into.
    pub(super) fn trouble(self) -> RwSignal<Option<ChatFault>> {
        self.trouble
    }

    /// What is being written.
    pub(super) fn draft(self) -> RwSignal<String> {
        self.draft
    }

    /// Whether there may be a network.
    pub(super) fn is_online(self) -> RwSignal<bool> {
        self.is_online
    }

    /// The session's id, once it is there to come back to.
    pub(super) fn id(self) -> Memo<Option<String>> {
        let id = self.line().map(|line| line.session.cursor().session_id().to_string());
        Memo::new(move |_| self.is_begun.get().then(|| id.clone()).flatten())
    }

    /// What the last message asks.
    pub(super) fn request(self) -> Memo<Option<Request>> {
        self.memo(conversation::request)
    }

    /// What the conversation is doing.
    pub(super) fn phase(self) -> Memo<Phase> {
        let request = self.request();
        Memo::new(move |_| {
            request.with(|request| {
                self.doing.with(|doing| {
                    self.state.with(|state| conversation::phase(state, doing, request.as_ref()))
                })
            })
        })
    }

    /// Sends a message; hands it back if the server does not take it.
    pub(super) fn send(self, text: String) {
        self.submit(text.as_str().into(), Sent::Words(text));
    }

    /// Makes a choice.
    pub(super) fn choose(self, frame: &ComponentFrame, choice: &str) {
        if let Ok(event) = frame.select(choice) {
            self.submit((&event).into(), done(frame, choice));
        }
    }

    /// Does something else with a component.
    pub(super) fn interact(self, frame: &ComponentFrame, event: &str) {
        if let Ok(interaction) = frame.interact(event, None) {
            self.submit((&interaction).into(), done(frame, event));
        }
    }

    /// Stops the turn: here at once, then at the server.
    pub(super) fn stop(self) {
        if let Some(line) = self.line() {
            self.doing.update(|doing| doing.is_stopped = true);
            line.session.stop();
        }
    }

    /// Shows what the server has of the session, and follows its turn.
    pub(super) fn open(self) {
        let Some(line) = self.line() else { return };
        self.begin(Doing { is_opening: true, ..Doing::default() });
        spawn_local(async move {
            let outcome = self.catch_up(&line).await;
            self.note(outcome.err().filter(|error| error.status() != Some(404)).as_ref());
            self.settle(&line);
        });
    }

    /// Does what can be done about what went wrong.
    pub(super) fn remedy(self) {
        let trouble = self.trouble.get_untracked();
        match fault::remedy(&self.state.get_untracked(), trouble.as_ref()) {
            Some(Remedy::Look) => self.open(),
            Some(Remedy::Ask(text)) => self.send(text),
            None => {}
        }
    }

    fn submit(self, input: TurnInput, sent: Sent) {
        let Some(line) = self.line() else { return };
        self.begin(Doing { sent: Some(sent), ..Doing::default() });
        self.is_begun.set(true);
        spawn_local(async move {
            if let Err(error) = line.session.submit(input).await
                && is_in_doubt(&line.session.snapshot(), &error)
            {
                let outcome = self.catch_up(&line).await;
                // What the newest snapshot has was not lost.
                let is_lost = outcome.is_err() || !is_taken(&line.session.snapshot());
                self.note(Some(&error).filter(|_| is_lost));
            }
            self.settle(&line);
        });
    }

    /// Takes over what the server has; a turn that was stopped here is ended there first.
    async fn catch_up(self, line: &Line) -> Result<()> {
        loop {
            if line.session.snapshot().phase == TurnPhase::Stopped && line.end_turn().await.is_err()
            {
                return Ok(());
            }
            match line.session.follow(&line.snapshot).await {
                Err(error) if error.kind() == ErrorKind::Aborted => {}
                outcome => return outcome,
            }
        }
    }

    fn begin(self, doing: Doing) {
        self.trouble.set(None);
        self.doing.set(doing);
    }

    /// After an await the component may be gone, and its signals with it.
    fn note(self, error: Option<&Error>) {
        let error = error.filter(|error| error.kind() != ErrorKind::Aborted);
        let _gone = self.trouble.try_set(error.map(ChatFault::from));
    }

    /// Nothing is under way any more: what the server has not taken is handed back.
    fn settle(self, line: &Line) {
        let is_taken = is_taken(&line.session.snapshot());
        let sent = self.doing.try_update(|doing| {
            doing.is_opening = false;
            doing.sent.take()
        });
        if let (Some(Some(Sent::Words(text))), false) = (sent, is_taken) {
            let back = |draft: &mut String| *draft = composer::with_returned(draft, &text);
            let _gone = self.draft.try_update(back);
        }
    }

    fn line(self) -> Option<Line> {
        self.live.try_with_value(|live| live.line.clone())
    }
}

impl Line {
    fn to(agent: &str, known: Option<SnapshotCursor>) -> Self {
        let cursor = known.unwrap_or_else(|| {
            SnapshotCursor::new(browser::new_session_id()).expect("hexadecimal digits are an id")
        });
        let snapshot = address::snapshot_route(agent, cursor.session_id());
        let client = TurnClient::new(FetchTransport, &address::turns_route(agent))
            .expect("a path of the page's own origin is a valid address");
        let server =
            LoopClient::new(FetchTransport, "").expect("the page's own origin is a valid address");
        let session = TurnSession::new(client, cursor);
        Self { session, snapshot, server, agent: agent.to_owned() }
    }

    /// Ends the session's turn at a server that names its turns.
    async fn end_turn(&self) -> Result<()> {
        let options = RequestOptions::default();
        let session = self.session.cursor().session_id().to_string();
        let pending = self.server.approvals(&self.agent, Some(&session), &options).await?;
        match pending.cursor {
            Some(cursor) => self.server.cancel(&cursor.turn_id, &options).await,
            None => Ok(()),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.line.session.close();
    }
}

fn done(frame: &ComponentFrame, what: &str) -> Sent {
    Sent::Event { instance: frame.instance_id.clone(), what: what.to_owned() }
}

/// Whether only the server knows how the session stands after this end of a turn.
fn is_in_doubt(state: &TurnState, error: &Error) -> bool {
    matches!(state.phase, TurnPhase::Interrupted | TurnPhase::Stopped)
        || error.status() == Some(409)
}
