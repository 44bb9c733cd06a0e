//! What a decoder found, as the protocol's own functions return it.

use super::diagnostic::Diagnostic;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Something that a decoder finds.
pub trait Decoded {
    /// Writes its members of a result, those behind `ok`.
    ///
    /// # Errors
    /// Those of the serializer.
    fn serialize_members<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error>;
}

/// A decoder's result as the protocol's own functions return it: `{"ok":true,…}` with what was
/// found, or `{"ok":false,"diagnostic":…}`.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{ResultObject, decode_component_frame};
/// let result = decode_component_frame("null");
/// assert_eq!(
///     serde_json::to_string(&ResultObject(&result)).unwrap(),
///     r#"{"ok":false,"diagnostic":{"code":"COMPONENT_INVALID_FRAME","message":"Component frame payload is invalid.","retryable":false}}"#,
/// );
/// ```
#[derive(Debug)]
pub struct ResultObject<'a, T>(pub &'a Result<T, Diagnostic>);

impl<T: Decoded> Serialize for ResultObject<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("ok", &self.0.is_ok())?;
        match self.0 {
            Ok(found) => found.serialize_members(&mut members)?,
            Err(diagnostic) => members.serialize_entry("diagnostic", diagnostic)?,
        }
        members.end()
    }
}
