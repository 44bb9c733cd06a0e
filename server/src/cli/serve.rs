//! `turnwire-server serve`.

use super::ServeOptions;
use crate::app::{app, serve as serve_app};
use crate::config::{Config, Hosts};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;

/// Exit code of a process that was told twice to stop, as shells have it.
const INTERRUPTED: i32 = 130;

/// Serves until Ctrl-C or SIGTERM.
pub async fn serve(options: ServeOptions) -> ExitCode {
    match try_serve(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("turnwire-server: {message}");
            ExitCode::FAILURE
        }
    }
}

async fn try_serve(options: ServeOptions) -> Result<(), String> {
    let address = (options.host.clone(), options.port);
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {}:{}: {error}", options.host, options.port))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let config = config(options, address)?;
    let app = app(config).await.map_err(|error| error.to_string())?;
    println!("listening on http://{address}");
    serve_app(listener, app, told_to_stop()).await.map_err(|error| error.to_string())
}

fn config(options: ServeOptions, address: SocketAddr) -> Result<Config, String> {
    let shared = options.shared.into_config()?;
    let hosts = match address.ip().is_loopback() {
        true => Hosts::Loopback { also: options.allow_host },
        false => Hosts::Any,
    };
    Ok(Config {
        ui: options.ui,
        cors_origins: options.cors_origin,
        hosts,
        keep_events: Duration::from_secs(u64::from(options.keep_days) * 24 * 60 * 60),
        turn_timeout: Duration::from_millis(options.turn_timeout_ms),
        step_delay: Duration::from_millis(options.step_delay_ms),
        ..shared
    })
}

/// The first signal stops the server, a second one at once.
async fn told_to_stop() {
    signal().await;
    tracing::info!("stopping; once more stops at once");
    tokio::spawn(async {
        signal().await;
        std::process::exit(INTERRUPTED);
    });
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        return ctrl_c().await;
    };
    tokio::select! {
        () = ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    ctrl_c().await;
}

async fn ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler the system's own way of stopping stays.
        std::future::pending::<()>().await;
    }
}
