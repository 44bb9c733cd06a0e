//! Agents: what each is told, may do and runs on, read from folders.
//!
//! A folder `agents/<name>/` holds `agent.toml`, the rules `actauth.yml`, and `skills/<skill>.md`.

use crate::engine::{Limits, Model};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use load::LoadError;
pub use rules::RuleFault;
pub(crate) use rules::Rules;

mod embedded;
mod load;
mod pattern;
mod rules;

/// An agent, ready to run turns.
#[derive(Debug)]
pub(crate) struct Agent {
    /// Its name, the folder's.
    pub name: String,
    /// What it is told about its work.
    pub system_prompt: String,
    /// How far it may go.
    pub limits: Limits,
    /// Names of its tools; `ask_user` is not among them, every agent has it.
    pub tools: Vec<String>,
    /// Texts of its skills by name.
    pub skills: BTreeMap<String, String>,
    /// What judges its calls.
    pub rules: Rules,
    /// What it thinks with.
    pub model: Arc<dyn Model>,
}

/// All agents by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agents(BTreeMap<String, Arc<Agent>>);

impl Agents {
    /// The agents of the binary.
    ///
    /// # Errors
    /// [`LoadError`] where an embedded file is not sound, which the tests rule out.
    pub(crate) fn embedded() -> Result<Self, LoadError> {
        let mut agents = Self::default();
        agents.add(embedded::customer_service()?);
        Ok(agents)
    }

    /// Adds each folder in `folder`; one of a known name replaces that agent.
    ///
    /// # Errors
    /// [`LoadError`], which names the file.
    pub(crate) fn add_folder(&mut self, folder: &Path) -> Result<(), LoadError> {
        for agent in load::folder(folder)? {
            self.add(agent);
        }
        Ok(())
    }

    /// Adds an agent, replacing the one of its name.
    pub(crate) fn add(&mut self, agent: Agent) {
        self.0.insert(agent.name.clone(), Arc::new(agent));
    }

    /// The agent of this name.
    #[must_use]
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Agent>> {
        self.0.get(name)
    }

    /// All of them, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Agent>> {
        self.0.values()
    }
}
