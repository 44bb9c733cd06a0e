//! The chatbox.
fn main() {}
