//! The props of the components that the page draws.
//!
//! Keys and shapes are those of AgentsKit's standard catalog, observed in
//! AgentsKit-io/agentskit-chat@0c393cb. Fields that are not known are ignored; what would be unsafe
//! to draw, or could not be drawn, does not deserialise.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};
use turnwire::agentskit::SafeId;

const MAX_SHORT_CHARS: usize = 12;

/// `source-list`: where something is written.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct SourceList {
    /// What the list is called.
    pub label: String,
    /// The sources.
    pub sources: Vec<Source>,
}

/// One source.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Source {
    /// What it is called.
    pub title: String,
    /// Where it is.
    pub url: Option<WebAddress>,
    /// What it says.
    pub snippet: Option<String>,
}

/// `table`: rows of cells under columns.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Table {
    /// What the table is called.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; each has its cells by the keys of the columns.
    pub rows: Vec<Map<String, Value>>,
}

/// One column.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Column {
    /// The key of its cells.
    pub key: String,
    /// What it is called.
    pub label: String,
}

/// `progress`: how far something has come.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Progress {
    /// What it is.
    pub label: String,
    /// How far, in percent.
    pub value: Percent,
    /// How it stands, in words.
    pub status: Option<String>,
}

/// `choice-list`: one of these.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct ChoiceList {
    /// What is asked.
    pub prompt: String,
    /// What can be chosen.
    pub choices: Vec<Choice>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Choice {
    /// Which one.
    #[serde(deserialize_with = "safe_id")]
    pub id: SafeId,
    /// What it is called.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

/// `approval-request`: yes or no.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRequest {
    /// What is asked.
    pub title: String,
    /// What it means.
    pub description: String,
    /// What yes is called.
    pub approve_label: String,
    /// What no is called.
    pub deny_label: String,
}

/// An address that a link may lead to: `http://…`, `https://…`, or a path of the page's own server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebAddress(String);

/// A number from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percent(f64);

impl Table {
    /// The text of a row's cell; empty where it has none.
    #[must_use]
    pub fn cell(row: &Map<String, Value>, column: &Column) -> String {
        match row.get(&column.key) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Bool(true)) => "yes".to_owned(),
            Some(Value::Bool(false)) => "no".to_owned(),
            Some(value) => value.to_string(),
        }
    }

    /// Whether every cell of a column is a number or missing, so that it is set to the right.
    #[must_use]
    pub fn is_numeric(&self, column: &Column) -> bool {
        let cells: Vec<_> = self.rows.iter().filter_map(|row| row.get(&column.key)).collect();
        !cells.is_empty() && cells.iter().all(|cell| cell.is_number() || cell.is_null())
    }
}

impl WebAddress {
    fn new(text: &str) -> Option<Self> {
        // Browsers drop or turn around such characters, after which the address is another one.
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return None;
        }
        let is_own_path = text.starts_with('/') && !text.starts_with("//");
        (is_own_path || is_web_address(text)).then(|| Self(text.to_owned()))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Percent {
    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The number with its sign, without a fraction.
    #[must_use]
    pub fn words(self) -> String {
        format!("{:.0}%", self.0)
    }
}

/// Whether a cell is a word or two, such as a number of an order, which read badly when broken.
#[must_use]
pub fn is_short(cell: &str) -> bool {
    cell.chars().count() <= MAX_SHORT_CHARS
}

/// With a host and without a user's name, which is there to deceive.
fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_web && !host.is_empty() && !host.contains('@')
}

impl<'de> Deserialize<'de> for WebAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| D::Error::custom("expected an address of the web"))
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let is_within = (0.0..=100.0).contains(&value);
        is_within.then_some(Self(value)).ok_or_else(|| D::Error::custom("expected 0 to 100"))
    }
}

fn safe_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SafeId, D::Error> {
    SafeId::new(String::deserialize(deserializer)?).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    #[test]
    fn only_addresses_of_the_web_are_links() {
        for text in ["https://example.com/a?b#c", "HTTP://h", "/returns", "https://h/a@b"] {
            assert_eq!(WebAddress::new(text).unwrap().as_str(), text);
        }
        for text in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "\u{1}javascript:alert(1)",
            "https://",
            "https:///path",
            "https://shop.example@evil.example/",
            "ftp://h",
            "returns",
            "",
        ] {
            assert_eq!(WebAddress::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_list_with_one_unsafe_address_is_refused() {
        let list = |url| json!({"label": "l", "sources": [{"title": "t", "url": url}]});
        assert!(from_value::<SourceList>(list("https://h/")).is_ok());
        assert!(from_value::<SourceList>(list("javascript:1")).is_err());
    }

    #[test]
    fn progress_is_a_number_from_0_to_100() {
        let progress = |value| from_value::<Progress>(json!({"label": "l", "value": value}));
        assert_eq!(progress(json!(99.6)).unwrap().value.words(), "100%");
        for value in [json!(-1), json!(100.5), json!("50"), json!(null)] {
            assert!(progress(value.clone()).is_err(), "{value}");
        }
    }

    #[test]
    fn choices_have_identifiers_that_can_be_sent() {
        let list = |id| json!({"prompt": "p", "choices": [{"id": id, "label": "l"}]});
        assert_eq!(from_value::<ChoiceList>(list("a")).unwrap().choices[0].id.as_str(), "a");
        assert!(from_value::<ChoiceList>(list("a b")).is_err());
    }

    #[test]
    fn cells_are_texts_and_columns_of_numbers_are_known() {
        let table: Table = from_value(json!({"caption": "c",
            "columns": [{"key": "a", "label": "A"}, {"key": "b", "label": "B"}],
            "rows": [{"a": 1.5, "b": true}, {"a": null, "b": "x"}]}))
        .unwrap();
        let cells = |row: usize| {
            table.columns.iter().map(|c| Table::cell(&table.rows[row], c)).collect::<Vec<_>>()
        };
        assert_eq!([cells(0), cells(1)], [["1.5", "yes"], ["", "x"]]);
        assert!(is_short("on its way") && !is_short("stoneware teapot"));
        assert!(table.is_numeric(&table.columns[0]) && !table.is_numeric(&table.columns[1]));
    }
}
