//! Holds nothing itself: the tests under `tests/` see every crate.
