//! Ids and times of the real world.

use crate::engine::Stamps;
use jiff::Timestamp;
use std::time::Duration;
use uuid::Uuid;

/// Random ids and the system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemStamps;

impl Stamps for SystemStamps {
    /// A random UUID: its 122 bits of chance are what makes a pending item's id a capability.
    fn id(&self) -> String {
        Uuid::new_v4().to_string()
    }

    fn now(&self) -> String {
        format!("{:.3}", Timestamp::now())
    }

    fn after(&self, wait: Duration) -> String {
        // The sum saturates at the end of the calendar.
        format!("{:.3}", Timestamp::now().saturating_add(wait).unwrap_or(Timestamp::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds_and_end_in_z() {
        let now = SystemStamps.now();
        assert_eq!((now.len(), now.ends_with('Z')), (24, true), "{now}");
    }
}
