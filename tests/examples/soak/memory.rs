//! The most memory that a process has had.

use std::fs;

/// In MiB, where the system tells it: on Linux.
pub(crate) fn peak_of(process: u32) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(format!("{} MiB", kib.div_ceil(1024)))
}
