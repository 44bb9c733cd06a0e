//! Upper bounds on what is taken in, each with a default that suits a chat.

/// How much a parser or a client takes in before it gives up with a typed error.
///
/// # Units
/// All sizes are bytes of UTF-8 as they came over the wire.
///
/// # Examples
/// ```
/// let limits = turnwire::Limits { max_frame_bytes: 1024, ..Default::default() };
/// assert_eq!(limits.max_message_bytes, 256 * 1024);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// One frame of a stream with all its lines, its name and its id: 16 MiB.
    ///
    /// Exceeding it is [`ErrorKind::FrameTooLarge`](crate::ErrorKind::FrameTooLarge).
    pub max_frame_bytes: usize,
    /// One JSON response body: 64 MiB.
    ///
    /// Exceeding it is [`ErrorKind::ResponseTooLarge`](crate::ErrorKind::ResponseTooLarge).
    pub max_response_bytes: usize,
    /// How much of an error's body is read for its text: 64 KiB; the rest is left unread.
    pub max_error_body_bytes: usize,
    /// One message or answer that is sent: 256 KiB.
    ///
    /// Exceeding it is [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument), before
    /// anything is sent.
    pub max_message_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_frame_bytes: 16 * 1024 * 1024,
            max_response_bytes: 64 * 1024 * 1024,
            max_error_body_bytes: 64 * 1024,
            max_message_bytes: 256 * 1024,
        }
    }
}
