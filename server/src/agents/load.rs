//! Folders → agents.

use super::Agent;
use super::rules::{RuleFault, Rules};
use crate::engine::{Limits, Model};
use crate::scripted::Scripted;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

/// Why an agent's folder could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or folder cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// `agent.toml` is not as it should be.
    #[error("agent.toml of agent '{agent}': {fault}")]
    Agent {
        /// Which agent.
        agent: String,
        /// What is wrong.
        fault: String,
    },
    /// `actauth.yml` is not as it should be.
    #[error("actauth.yml of agent '{agent}': {fault}")]
    Rules {
        /// Which agent.
        agent: String,
        /// What is wrong.
        fault: RuleFault,
    },
}

/// The files of one agent, as read.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) name: String,
    pub(super) agent: String,
    pub(super) rules: Option<String>,
    pub(super) skills: Vec<(String, String)>,
}

/// `agent.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentFile {
    system_prompt: String,
    #[serde(default = "scripted")]
    model: String,
    #[serde(default = "default_max_turns")]
    max_turns: u32,
    #[serde(default = "default_budget_tokens")]
    budget_tokens: u64,
    decision_seconds: Option<u64>,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    skills: Vec<String>,
}

/// The agents of the folders in `folder`, by name.
pub(super) fn folder(folder: &Path) -> Result<Vec<Agent>, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: folder.to_owned(), source };
    let mut paths = fs::read_dir(folder)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(unreadable)?;
    paths.sort();
    paths
        .iter()
        .filter(|path| path.join("agent.toml").is_file())
        .map(|path| Files::read(path)?.into_agent())
        .collect()
}

impl Files {
    fn read(folder: &Path) -> Result<Self, LoadError> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let rules = folder.join("actauth.yml");
        Ok(Self {
            name: name.into_owned(),
            agent: read(&folder.join("agent.toml"))?,
            rules: rules.exists().then(|| read(&rules)).transpose()?,
            skills: skills(&folder.join("skills"))?,
        })
    }

    pub(super) fn into_agent(self) -> Result<Agent, LoadError> {
        let fault = |fault: String| LoadError::Agent { agent: self.name.clone(), fault };
        let file: AgentFile =
            toml::from_str(&self.agent).map_err(|error| fault(error.message().to_owned()))?;
        let skills = named_skills(&file.skills, &self.skills).map_err(fault)?;
        let limits = limits(&file).map_err(fault)?;
        let model = model(&file.model).map_err(fault)?;
        let rules = self.rules.as_deref().map_or_else(
            || Ok(Rules::none()),
            |text| {
                Rules::parse(text)
                    .map_err(|fault| LoadError::Rules { agent: self.name.clone(), fault })
            },
        )?;
        Ok(Agent {
            name: self.name,
            system_prompt: file.system_prompt,
            limits,
            tools: file.tools,
            skills,
            rules,
            model,
        })
    }
}

fn limits(file: &AgentFile) -> Result<Limits, String> {
    if file.max_turns == 0 || file.budget_tokens == 0 {
        return Err("`max_turns` and `budget_tokens` must be at least 1".into());
    }
    if file.decision_seconds == Some(0) {
        return Err("`decision_seconds` must be at least 1".into());
    }
    Ok(Limits {
        max_turns: file.max_turns,
        budget_tokens: file.budget_tokens,
        decision_time: file.decision_seconds.map(Duration::from_secs),
    })
}

fn model(name: &str) -> Result<Arc<dyn Model>, String> {
    match name {
        "scripted" => Ok(Arc::new(Scripted)),
        _ => Err(format!("expected the model 'scripted', found '{name}'")),
    }
}

/// The listed skills only: a file that is not listed is not offered.
fn named_skills(
    names: &[String],
    texts: &[(String, String)],
) -> Result<std::collections::BTreeMap<String, String>, String> {
    let find = |name: &String| {
        let found = texts.iter().find(|(known, _)| known == name);
        found.cloned().ok_or_else(|| format!("skills/{name}.md is missing"))
    };
    names.iter().map(find).collect()
}

fn skills(folder: &Path) -> Result<Vec<(String, String)>, LoadError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)
        .map_err(|source| LoadError::Unreadable { path: folder.to_owned(), source })?;
    entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            Ok((name.into_owned(), read(&path)?))
        })
        .collect()
}

fn read(path: &Path) -> Result<String, LoadError> {
    fs::read_to_string(path)
        .map_err(|source| LoadError::Unreadable { path: path.to_owned(), source })
}

fn scripted() -> String {
    "scripted".into()
}

fn default_max_turns() -> u32 {
    10
}

fn default_budget_tokens() -> u64 {
    8000
}
