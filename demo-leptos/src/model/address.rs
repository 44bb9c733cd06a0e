//! The page's address: which agent and which session it is about.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SESSION: &str = "session";
const AGENT: &str = "agent";
const DEFAULT_AGENT: &str = "customer-service";
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

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

/// The query with this session in place of the one it had; everything else stays as it is.
#[must_use]
pub fn with_session(query: &str, session: Option<&str>) -> String {
    let others = pairs(query).filter(|(name, _)| decode(name) != SESSION);
    let mut kept: Vec<_> = others
        .map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.to_owned(),
        })
        .collect();
    kept.extend(session.map(|id| format!("{SESSION}={}", utf8_percent_encode(id, ESCAPED))));
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
