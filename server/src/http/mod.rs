//! HTTP: what every protocol's routes have in common, and the router over them.

use crate::agentskit::Desk;
use crate::config::Config;
use crate::turns::Turns;
use axum::Router;
use axum::routing::get;
use guard::Guard;
use std::sync::Arc;

mod agentskit;
mod body;
mod cors;
mod current;
mod error;
mod guard;
mod leftover;
mod loopengine;
mod reply;
mod sse;
mod turns;
mod ui;
mod url;

pub use cors::OriginFault;

/// Every route, with the checks that stand before all of them.
///
/// # Errors
/// [`OriginFault`] for a configured origin that is none.
pub(crate) fn router(config: &Config, turns: Turns, desk: Desk) -> Result<Router, OriginFault> {
    let cors = cors::layer(&config.cors_origins)?;
    let guard = Arc::new(Guard::new(config));
    let api = Router::new()
        .route("/healthz", get(healthz))
        .merge(loopengine::routes(turns.clone()))
        .merge(agentskit::routes(desk))
        .merge(turns::routes(turns));
    Ok(ui::with_files(api, config.ui.as_deref())
        .layer(axum::middleware::map_response(reply::explain_status))
        .layer(axum::middleware::from_fn_with_state(guard, guard::check))
        .layer(cors)
        .layer(axum::middleware::from_fn(leftover::drain)))
}

async fn healthz() -> &'static str {
    "ok"
}
