//! Many open streams and many turns with decisions against a server that runs already; `npm run
//! soak` builds and starts it.

use load::{Findings, Size};
use std::process::ExitCode;
use std::time::Instant;

mod load;
mod memory;

const USAGE: &str = "usage: soak ADDRESS SERVER_PID STREAMS TURNS";

struct Arguments {
    address: String,
    server: u32,
    size: Size,
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(arguments) = read(&std::env::args().skip(1).collect::<Vec<_>>()) else {
        eprintln!("{USAGE}; there is at least one stream a turn");
        return ExitCode::from(2);
    };
    match soak(&arguments).await {
        Ok(findings) if findings.are_sound() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Option<Arguments> {
    let [address, server, streams, turns] = arguments else { return None };
    let size = Size { streams: streams.parse().ok()?, turns: turns.parse().ok()? };
    let server = server.parse().ok()?;
    size.is_sound().then(|| Arguments { address: address.clone(), server, size })
}

async fn soak(arguments: &Arguments) -> turnwire::Result<Findings> {
    let client = load::client(&arguments.address)?;
    let begun = Instant::now();
    let findings = load::run(&client, arguments.size, |progress| println!("  {progress}")).await;
    let seconds = begun.elapsed().as_secs_f64();
    report(&findings, arguments.server, seconds);
    Ok(findings)
}

fn report(findings: &Findings, server: u32, seconds: f64) {
    let memory = [memory::peak_of(server), memory::peak_of(std::process::id())];
    let [of_server, of_client] = memory.map(|peak| peak.unwrap_or("unknown".into()));
    println!();
    for (name, value) in [
        ("turns", findings.turns.to_string()),
        ("streams open at once", findings.streams.to_string()),
        ("decisions", findings.decisions.to_string()),
        ("refunds approved", findings.approved.to_string()),
        ("refunds denied", (findings.turns - findings.approved).to_string()),
        ("events read", findings.tally.events.to_string()),
        ("lost", findings.tally.lost.to_string()),
        ("duplicated", findings.tally.duplicated.to_string()),
        ("streams out of order", findings.tally.disordered.to_string()),
        ("failed turns", findings.faults.len().to_string()),
        ("peak memory, server", of_server),
        ("peak memory, clients", of_client),
        ("duration", format!("{seconds:.1} s")),
    ] {
        println!("{name:<22}{value:>12}");
    }
    for fault in &findings.faults {
        eprintln!("failed: {fault}");
    }
}
