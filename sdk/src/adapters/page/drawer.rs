//! What a chat keeps over a reload, where the browser lets it.
//!
//! Each chat has a drawer of its own in the storage that all windows share, and holds a lock while it
//! lives. So what a window keeps is taken over only when that window is gone, and by one other.

use super::locks::{self, Held};
use super::sys::{self, Host};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;

/// The texts of one chat.
pub(super) struct Drawer {
    id: String,
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
        Self { id, lock }
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
            let claim = locks::acquire(&lock_name(id), false).await;
            if claim.is_some() || !locks::are_there() {
                taken.extend(storage.get_item(&key).ok().flatten());
                let _ = storage.remove_item(&key);
            }
        }
        taken
    }
}

impl Drop for Drawer {
    fn drop(&mut self) {
        let mut lock = self.lock.borrow_mut();
        lock.is_closed = true;
        lock.held = None;
    }
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
