//! The agent that is part of the binary, so that a fresh install has one.

use super::Agent;
use super::load::{Files, LoadError};

const AGENT: &str = include_str!("../../agents/customer-service/agent.toml");
const RULES: &str = include_str!("../../agents/customer-service/actauth.yml");
const RETURNS: &str = include_str!("../../agents/customer-service/skills/returns.md");

pub(super) fn customer_service() -> Result<Agent, LoadError> {
    Files {
        name: "customer-service".into(),
        agent: AGENT.into(),
        rules: Some(RULES.into()),
        skills: vec![("returns".into(), RETURNS.into())],
    }
    .into_agent()
}
