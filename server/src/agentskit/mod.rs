//! Turns over AgentsKit's turn protocol: what a submission means, who may have the session, and what
//! is told of a turn. The engine is the one that loopengine's routes run.
//!
//! # Protocol
//! AgentsKit turn protocol v1; sessions, leases and snapshots as observed in
//! AgentsKit-io/agentskit-chat@9836963. What the protocol leaves open is our choice:
//!
//! - A turn of the protocol is one request and its answer. It ends where the engine's turn is over
//!   or waits for a person, so that nobody's deadline runs while a person thinks. What the person
//!   then decides is a turn of its own, and goes on with the same turn of the engine.
//! - A decision is a submission whose `input` is the JSON text of the component's event, since a
//!   client has no other event to send: `approve` or `deny` of an `approval-request`, or a selection
//!   of a `choice-list`. A question is answered by any other text too.
//! - A decision is no message: the component is gone from the next snapshot, and the call's status
//!   tells what came of it. One that comes too late changes nothing and is answered with the
//!   conversation as it stands.
//! - A selection of a `choice-list` that no turn waits for is a message: what the choice says.
//! - While the engine's turn is not over and nobody is asked, the session is busy, whoever started
//!   that turn.
//! - Readers do not matter: a turn goes on without one, and a slow one gets the newest snapshot.
//! - A turn that takes too long is stopped. A turn that the server left behind when it stopped goes
//!   on when it is back; one that nothing is known of is `indeterminate` then.
//! - A session's newest snapshot can be asked for, by a client that was reloaded or lost its stream.

pub(crate) use desk::{Desk, Submission};
pub(crate) use fault::Fault;
pub(crate) use outlet::Lines;

mod component;
mod content;
mod desk;
mod events;
mod exchange;
mod fault;
mod intent;
mod outlet;
mod session;
mod view;

#[cfg(test)]
mod tests;
