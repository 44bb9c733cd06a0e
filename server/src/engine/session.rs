//! Which conversation a turn belongs to.

use serde::{Deserialize, Serialize};
use turnwire::json::JsonObject;
use turnwire::loopengine::ApprovalScope;

/// Where an agent's calls act.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// Tenant.
    pub tenant: String,
    /// Environment, such as `production`.
    pub environment: String,
    /// Agent.
    pub agent: String,
}

/// A conversation; the same id under another tenant, environment or agent is another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SessionKey {
    /// Where it acts.
    pub scope: Scope,
    /// The id that clients know.
    pub id: String,
}

impl From<&Scope> for ApprovalScope {
    fn from(scope: &Scope) -> Self {
        Self {
            tenant: scope.tenant.clone(),
            environment: scope.environment.clone(),
            agent: scope.agent.clone(),
            extra: JsonObject::new(),
        }
    }
}
