//! A value beside its source.

/// A value together with the JSON text it came from.
///
/// The text is what bindings hand on, so that nothing which this version does not know is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// Its JSON exactly as the server sent it.
    pub json: String,
}
