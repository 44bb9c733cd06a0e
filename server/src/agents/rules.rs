//! The rules of `actauth.yml`: the first one that fits a call decides.
//!
//! # Protocol
//! loopengine: a list of `{name, scope, tool, decision, when?}` with patterns and a
//! `default_decision`; the reason reads `matched rule 'NAME'`; no rules file at all means deny.

use super::pattern::fits;
use crate::engine::{Call, Gate, Ruling, Scope, Verdict};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What is wrong with a rules file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleFault(String);

/// The rules of an agent, in order.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    rules: Vec<Rule>,
    otherwise: Ruling,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    #[serde(default)]
    default_decision: Decision,
    #[serde(default)]
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    name: String,
    scope: String,
    tool: String,
    decision: Decision,
    /// Arguments that have to be as given: texts are patterns, anything else has to be equal.
    #[serde(default)]
    when: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Decision {
    Allow,
    Ask,
    #[default]
    Deny,
}

impl Rules {
    /// Reads a rules file.
    ///
    /// # Errors
    /// [`RuleFault`] with the place, or the name of the rule that is at fault.
    pub(crate) fn parse(text: &str) -> Result<Self, RuleFault> {
        let file: RulesFile =
            serde_saphyr::from_str(text).map_err(|error| RuleFault(error.to_string()))?;
        for rule in &file.rules {
            rule.check()?;
        }
        Ok(Self {
            rules: file.rules,
            otherwise: Ruling {
                verdict: file.default_decision.into(),
                reason: "no rule matched: the default decision".into(),
            },
        })
    }

    /// No rules file: everything is denied.
    #[must_use]
    pub(crate) fn none() -> Self {
        Self {
            rules: Vec::new(),
            otherwise: Ruling { verdict: Verdict::Deny, reason: "the agent has no rules".into() },
        }
    }
}

impl Gate for Rules {
    fn judge(&self, scope: &Scope, call: &Call) -> Ruling {
        self.rules
            .iter()
            .find(|rule| rule.matches(scope, call))
            .map_or_else(|| self.otherwise.clone(), Rule::to_ruling)
    }
}

impl Rule {
    fn check(&self) -> Result<(), RuleFault> {
        match self.scope.split('/').count() {
            2 | 3 => Ok(()),
            _ => Err(RuleFault(format!(
                "rule '{}': expected the scope tenant/environment[/agent], found '{}'",
                self.name, self.scope
            ))),
        }
    }

    fn matches(&self, scope: &Scope, call: &Call) -> bool {
        let place = [&scope.tenant, &scope.environment, &scope.agent];
        let is_in_scope = self.scope.split('/').zip(place).all(|(p, t)| fits(p, t));
        is_in_scope && fits(&self.tool, &call.tool) && self.when_holds(call)
    }

    fn when_holds(&self, call: &Call) -> bool {
        self.when.iter().all(|(name, expected)| {
            let found = call.args.get(name);
            match (expected, found) {
                (Value::String(pattern), Some(Value::String(text))) => fits(pattern, text),
                (expected, Some(found)) => expected == found,
                (_, None) => false,
            }
        })
    }

    fn to_ruling(&self) -> Ruling {
        Ruling { verdict: self.decision.into(), reason: format!("matched rule '{}'", self.name) }
    }
}

impl From<Decision> for Verdict {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Allow,
            Decision::Ask => Self::Ask,
            Decision::Deny => Self::Deny,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: &str = r#"
default_decision: ask
rules:
  - { name: small, scope: "default/*", tool: issue_refund, decision: allow, when: { orderId: "A-1*", express: true } }
  - { name: shop, scope: "default/production/customer-*", tool: "issue_*", decision: deny }
"#;

    fn judge(agent: &str, tool: &str, args: Value) -> (Verdict, String) {
        let scope = Scope {
            tenant: "default".into(),
            environment: "production".into(),
            agent: agent.into(),
        };
        let call =
            Call { id: "c".into(), tool: tool.into(), args: args.as_object().unwrap().clone() };
        let ruling = Rules::parse(RULES).unwrap().judge(&scope, &call);
        (ruling.verdict, ruling.reason)
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let small = json!({"orderId": "A-1001", "express": true});
        assert_eq!(
            judge("customer-service", "issue_refund", small),
            (Verdict::Allow, "matched rule 'small'".into())
        );
        let slow = json!({"orderId": "A-1001", "express": false});
        assert_eq!(
            judge("customer-service", "issue_refund", slow),
            (Verdict::Deny, "matched rule 'shop'".into())
        );
        assert_eq!(judge("customer-service", "issue_refund", json!({})).1, "matched rule 'shop'");
    }

    #[test]
    fn where_no_rule_fits_the_default_decides() {
        let ruling = judge("parcel-desk", "issue_refund", json!({}));
        assert_eq!(ruling, (Verdict::Ask, "no rule matched: the default decision".into()));
    }

    #[test]
    fn without_a_default_or_a_file_everything_is_denied() {
        let scope = Scope { tenant: "t".into(), environment: "e".into(), agent: "a".into() };
        let call = Call { id: "c".into(), tool: "x".into(), args: Map::new() };
        for rules in [Rules::none(), Rules::parse("rules: []").unwrap()] {
            assert_eq!(rules.judge(&scope, &call).verdict, Verdict::Deny);
        }
    }

    #[test]
    fn faults_are_told_and_never_ignored() {
        for (text, part) in [
            ("rules: [{name: a, scope: x, tool: t, decision: allow}]", "rule 'a'"),
            ("rules: [{name: a, scope: x/y, tool: t, decision: maybe}]", "maybe"),
            ("rules: [{name: a, scope: x/y, tool: t, decision: ask, if: 1}]", "if"),
            ("default: deny", "default"),
            ("rules: [", "line"),
        ] {
            let fault = Rules::parse(text).unwrap_err().to_string();
            assert!(fault.contains(part), "{text}: {fault}");
        }
    }
}
