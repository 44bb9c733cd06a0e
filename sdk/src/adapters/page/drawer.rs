//! What a chat keeps over a reload, where the browser lets it.
//!
//! Each chat has a drawer of its own in the storage that all windows share, and holds a lock while it
//! lives. So what a window keeps is taken over only when that window is gone, and by one other. A
//! window notes its drawers for itself, too: after a reload the lock of the page that was left may
//! still be there for a moment.

use super::locks::{self, Held};
use super::sys::{self, Host};
use crate::client::{FetchTransport, Transport};
use futures_util::future::{Either, select};
use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;

/// Names the drawers that this window has had, in the storage that it shares with nobody.
const OWN: &str = "turnwire drawers";

/// More than these are not noted.
const MAX_OWN: usize = 16;

/// How long after a reload the lock of the page that was left may be there.
const PARTING: Duration = Duration::from_secs(2);

/// The texts of one chat.
pub(super) struct Drawer {
    id: String,
    /// Drawers that this window has had before.
    earlier: Vec<String>,
    lock: Rc<RefCell<Lock>>,
}

/// Whether the lock that says "this chat lives" is there yet, and is still wanted.
#[derive(Default)]
struct Lock {
    held: Option<Held>,
    is_closed: bool,
}

impl Drawer {
    /// A drawer with nothing in it.
    pub(super) fn open() -> Self {
        let id = format!("{:x}", (js_sys::Math::random() * (1_u64 << 53) as f64) as u64);
        let lock = Rc::new(RefCell::new(Lock::default()));
        let (name, place) = (lock_name(&id), Rc::clone(&lock));
        spawn_local(async move {
            let held = locks::acquire(&name, false).await;
            let mut lock = place.borrow_mut();
            lock.held = held.filter(|_| !lock.is_closed);
        });
        let earlier = note_own(&id);
        Self { id, earlier, lock }
    }

    pub(super) fn save(&self, name: &str, text: Option<&str>) {
        let Some(storage) = storage() else { return };
        let key = format!("{}{}", prefix(name), self.id);
        // A storage that is full or forbidden keeps nothing; what waits is in the state all the same.
        let _ = match text {
            Some(text) => storage.set_item(&key, text),
            None => storage.remove_item(&key),
        };
    }

    /// Empties the drawers of chats that are gone.
    pub(super) async fn take(&self, name: &str) -> Vec<String> {
        let mut taken = Vec::new();
        let Some(storage) = storage() else { return taken };
        for key in keys(&storage, &prefix(name)) {
            let id = key.rsplit('#').next().unwrap_or_default();
            if id == self.id {
                continue;
            }
            // Without locks nobody can tell who lives. What is sent twice then has one name.
            let claim = self.claim(id).await;
            if claim.is_some() || !locks::are_there() {
                taken.extend(storage.get_item(&key).ok().flatten());
                let _ = storage.remove_item(&key);
            }
        }
        taken
    }

    /// The lock of a drawer whose chat is gone.
    async fn claim(&self, id: &str) -> Option<Held> {
        let name = lock_name(id);
        if !self.earlier.iter().any(|earlier| earlier == id) {
            return locks::acquire(&name, false).await;
        }
        let parting = FetchTransport.sleep(PARTING);
        match select(pin!(locks::acquire(&name, true)), parting).await {
            Either::Left((claim, _)) => claim,
            // A window that was made as a copy of this one has noted the same drawers.
            Either::Right(_) => None,
        }
    }
}

impl Drop for Drawer {
    fn drop(&mut self) {
        let mut lock = self.lock.borrow_mut();
        lock.is_closed = true;
        lock.held = None;
    }
}

/// Notes a drawer of this window, and gives those that it has had before.
fn note_own(id: &str) -> Vec<String> {
    let Some(storage) = sys::host(&["sessionStorage"]) else { return Vec::new() };
    let noted = storage.get_item(OWN).ok().flatten().unwrap_or_default();
    let earlier: Vec<_> = noted.split_whitespace().map(str::to_owned).collect();
    let kept = earlier.iter().rev().take(MAX_OWN - 1).rev().map(String::as_str);
    let _ = storage.set_item(OWN, &kept.chain([id]).collect::<Vec<_>>().join(" "));
    earlier
}

fn lock_name(id: &str) -> String {
    format!("turnwire drawer {id}")
}

fn prefix(name: &str) -> String {
    format!("{name} #")
}

fn keys(storage: &Host, prefix: &str) -> Vec<String> {
    let len = sys::property(storage, "length").and_then(|len| len.as_f64()).unwrap_or_default();
    let keys = (0..len as u32).filter_map(|index| storage.key(index).ok().flatten());
    keys.filter(|key| key.starts_with(prefix)).collect()
}

fn storage() -> Option<Host> {
    sys::host(&["localStorage"])
}
