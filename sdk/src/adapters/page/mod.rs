//! A chat in a page of a browser: windows that share a stream, a page that is hidden and shown, a
//! network that goes and comes back, and what is kept over a reload.
//!
//! Where something is missing, as in workers, in Node or behind a browser's privacy settings, the
//! chat does without: each window reads its own stream, and nothing is kept.

use crate::client::{
    BoxFuture, Chat, Heard, Lead, LoopClient, News, Platform, Transport, WeakChat,
};
use channel::Channel;
use drawer::Drawer;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use watch::PageWatch;

mod channel;
mod drawer;
mod locks;
mod sys;
mod watch;

/// An empty chat that shares its session with the other windows of this browser, goes on when the
/// page is shown again or the network is back, and keeps what waits over a reload.
///
/// # Cancellation
/// It takes notice of the page until the last clone is dropped or it is closed.
///
/// # Examples
/// ```no_run
/// use turnwire::adapters::page;
/// use turnwire::client::{FetchTransport, LoopClient};
/// let client = LoopClient::new(FetchTransport, "").unwrap();
/// let chat = page::chat(client, "customer-service");
/// ```
#[must_use]
pub fn chat<T: Transport + 'static>(client: LoopClient<T>, agent: impl Into<String>) -> Chat<T> {
    let agent = agent.into();
    let page = Page::new(client.address(), &agent);
    let chat = Chat::on(client, agent, page.clone());
    page.attach(chat.downgrade());
    chat
}

/// The page as a chat's platform; clones share it.
#[derive(Clone)]
struct Page(Rc<Inner>);

struct Inner {
    server: String,
    agent: String,
    drawer: Drawer,
    channel: RefCell<Option<Channel>>,
    watch: RefCell<Option<PageWatch>>,
}

impl Page {
    fn new(server: &str, agent: &str) -> Self {
        let (server, agent) = (sys::absolute(server), agent.to_owned());
        let (channel, watch) = (RefCell::default(), RefCell::default());
        Self(Rc::new(Inner { server, agent, drawer: Drawer::open(), channel, watch }))
    }

    /// Begins to take notice of the page. The listeners end with this platform, which the chat
    /// owns.
    fn attach<T: Transport + 'static>(&self, chat: WeakChat<T>) {
        let hearer = chat.clone();
        let name = format!("turnwire {} {}", self.0.server, self.0.agent);
        let channel = locks::are_there()
            .then(|| Channel::open(&name, move |news| hear(&hearer, &news)))
            .flatten();
        self.0.channel.replace(channel);
        self.0.watch.replace(PageWatch::begin(chat));
    }

    fn lock_name(&self, session_id: &str) -> String {
        format!("{}{} {session_id}", self.lock_prefix(), self.0.agent)
    }

    fn lock_prefix(&self) -> String {
        format!("turnwire {} ", self.0.server)
    }
}

fn hear<T: Transport + 'static>(chat: &WeakChat<T>, news: &News) {
    let Some(chat) = chat.upgrade() else { return };
    let heard = chat.hear(news);
    if heard == Heard::Shown {
        return;
    }
    // What comes of it is in the state.
    spawn_local(async move {
        if heard == Heard::Gap {
            drop(chat.catch_up().await);
        }
        drop(chat.follow_turn().await);
    });
}

impl Platform for Page {
    fn lead<'a>(&'a self, session_id: &'a str, patience: bool) -> BoxFuture<'a, Option<Lead>> {
        let name = self.lock_name(session_id);
        Box::pin(async move {
            let held = locks::acquire(&name, patience).await?;
            Some(Box::new(held) as Lead)
        })
    }

    fn has_peers(&self) -> bool {
        self.0.channel.borrow().is_some()
    }

    fn tell(&self, news: &News) {
        if let Some(channel) = &*self.0.channel.borrow() {
            channel.post(news);
        }
    }

    fn crowd<'a>(&'a self) -> BoxFuture<'a, Option<u64>> {
        let prefix = self.lock_prefix();
        Box::pin(async move {
            match sys::is_multiplexed(&self.0.server) {
                true => None,
                false => locks::count(&prefix).await,
            }
        })
    }

    fn save(&self, name: &str, text: Option<&str>) {
        self.0.drawer.save(name, text);
    }

    fn take<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Vec<String>> {
        Box::pin(self.0.drawer.take(name))
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("server", &self.0.server).finish_non_exhaustive()
    }
}
