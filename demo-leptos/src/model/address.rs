//! The page's address: which agent and which session it is about.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SESSION: &str = "session";
const AGENT: &str = "agent";
const PROTOCOL: &str = "protocol";
const DEFAULT_AGENT: &str = "customer-service";
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// How the page talks to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// loopengine Protocol v1.
    Loopengine,
    /// AgentsKit's turn protocol v1.
    AgentsKit,
}

impl Protocol {
    /// All there are, the page's own first.
    pub const ALL: [Self; 2] = [Self::Loopengine, Self::AgentsKit];

    /// Its name, as people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loopengine => "loopengine",
            Self::AgentsKit => "AgentsKit",
        }
    }

    /// Its name in an address.
    const fn word(self) -> &'static str {
        match self {
            Self::Loopengine => "loopengine",
            Self::AgentsKit => "agentskit",
        }
    }
}

/// The session that a query such as `?session=s-1` names.
#[must_use]
pub fn session_in(query: &str) -> Option<String> {
    parameter(query, SESSION)
}

/// The agent that a query names, or the server's own.
#[must_use]
pub fn agent_in(query: &str) -> String {
    parameter(query, AGENT).unwrap_or_else(|| DEFAULT_AGENT.to_owned())
}

/// The protocol that a query names, or the page's own.
#[must_use]
pub fn protocol_in(query: &str) -> Protocol {
    let named = parameter(query, PROTOCOL);
    let is_named = |protocol: &Protocol| named.as_deref() == Some(protocol.word());
    Protocol::ALL.into_iter().find(is_named).unwrap_or(Protocol::Loopengine)
}

/// The query with this protocol in place of the one it had; everything else stays as it is.
#[must_use]
pub fn with_protocol(query: &str, protocol: Protocol) -> String {
    let word = (protocol != Protocol::Loopengine).then_some(protocol.word());
    with_parameter(query, PROTOCOL, word)
}

/// The query with this session in place of the one it had; everything else stays as it is.
#[must_use]
pub fn with_session(query: &str, session: Option<&str>) -> String {
    with_parameter(query, SESSION, session)
}

/// Where turns of an agent are submitted in AgentsKit's protocol.
#[must_use]
pub fn turns_route(agent: &str) -> String {
    format!("/agents/{}/turns", encode(agent))
}

/// Where the newest snapshot of an agent's session is.
#[must_use]
pub fn snapshot_route(agent: &str, session: &str) -> String {
    format!("/agents/{}/sessions/{}/snapshot", encode(agent), encode(session))
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

fn with_parameter(query: &str, wanted: &str, value: Option<&str>) -> String {
    let others = pairs(query).filter(|(name, _)| decode(name) != wanted);
    let mut kept: Vec<_> = others
        .map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.to_owned(),
        })
        .collect();
    kept.extend(value.map(|value| format!("{wanted}={}", encode(value))));
    match kept.is_empty() {
        true => String::new(),
        false => format!("?{}", kept.join("&")),
    }
}

fn parameter(query: &str, wanted: &str) -> Option<String> {
    let (_, value) = pairs(query).find(|(name, _)| decode(name) == wanted)?;
    Some(decode(value?)).filter(|value| !value.is_empty())
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let query = query.strip_prefix('?').unwrap_or(query);
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| match pair.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (pair, None),
    })
}

fn decode(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_session_among_other_parameters() {
        assert_eq!(session_in("?theme=x&session=s-1&a").as_deref(), Some("s-1"));
    }

    #[test]
    fn an_empty_or_missing_session_is_none() {
        for query in ["", "?", "?session", "?session=", "?sessions=1", "?x=session"] {
            assert_eq!(session_in(query), None, "{query}");
        }
    }

    #[test]
    fn any_text_survives_the_round_trip() {
        for id in ["s-1", "a/b ü?#%&=+", "100%", "日本"] {
            let query = with_session("", Some(id));
            assert_eq!(session_in(&query).as_deref(), Some(id), "{query}");
        }
    }

    #[test]
    fn the_session_is_replaced_and_the_rest_kept() {
        assert_eq!(with_session("?a=1&session=old&b", Some("new")), "?a=1&b&session=new");
        assert_eq!(with_session("?session=old", None), "");
    }

    #[test]
    fn a_protocol_is_found_again_and_keeps_the_rest_of_the_query() {
        let query = with_protocol("?agent=shop&session=s-1", Protocol::AgentsKit);
        assert_eq!(query, "?agent=shop&session=s-1&protocol=agentskit");
        assert_eq!(protocol_in(&query), Protocol::AgentsKit);
        assert_eq!(with_protocol(&query, Protocol::Loopengine), "?agent=shop&session=s-1");
        for query in ["", "?protocol", "?protocol=AGENTSKIT", "?protocol=loopengine"] {
            assert_eq!(protocol_in(query), Protocol::Loopengine, "{query}");
        }
    }

    #[test]
    fn routes_hold_any_name() {
        assert_eq!(turns_route("customer-service"), "/agents/customer-service/turns");
        assert_eq!(snapshot_route("a/b", "s:1?"), "/agents/a%2Fb/sessions/s%3A1%3F/snapshot");
    }

    #[test]
    fn broken_escapes_do_no_harm() {
        assert_eq!(session_in("?session=%f").as_deref(), Some("%f"));
        assert_eq!(session_in("?session=%ff").as_deref(), Some("\u{fffd}"));
    }

    #[test]
    fn the_agent_has_a_default() {
        assert_eq!(agent_in(""), "customer-service");
        assert_eq!(agent_in("?agent=shop"), "shop");
    }
}
