//! Values on their way out: held to what decoders hold them to.

use super::fields::Read;
use crate::json::read;
use crate::{Error, ErrorKind, Result};
use serde::Serialize;

/// The value as what it has to be: one's own type, or any other that serialises to its JSON.
///
/// What goes out is read as it will be read on the other side, so that both agree.
pub(super) fn checked<T: Read>(value: &(impl Serialize + ?Sized), expected: &str) -> Result<T> {
    let text = serde_json::to_string(value).ok();
    let node = text.as_deref().and_then(read);
    node.and_then(|node| T::read(&node)).ok_or_else(|| invalid(expected))
}

/// The JSON of something that was checked.
pub(super) fn written(value: &impl Serialize, expected: &str) -> Result<String> {
    serde_json::to_string(value).map_err(|_| invalid(expected))
}

pub(super) fn invalid(expected: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, format!("expected {expected}"))
}
