//! A JSON value as JavaScript sees it: doubles, strings of units, objects with the last value of
//! each key at the place of its first.

use super::MAX_NESTING;
use super::string::JsString;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// From this many members on, keys are looked up in a tree. Not by hash: on wasm32 a hash has no
/// random key, so that keys could be chosen to collide.
const INDEX_FROM: usize = 8;

/// One value of a tree at most [`MAX_NESTING`] levels deep.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    /// Infinite where the literal is beyond the range of doubles.
    Number(f64),
    String(JsString<'a>),
    Array(Vec<Node<'a>>),
    Object(Members<'a>),
    /// An array or object below the last level that is kept.
    TooDeep,
}

/// The members of an object: each key once, in the order in which the keys came.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Members<'a>(Vec<(JsString<'a>, Node<'a>)>);

/// Members under construction.
///
/// Invariant: `places` is empty, or has the place of every key.
#[derive(Debug, Default)]
pub(super) struct MembersBuilder<'a> {
    members: Vec<(JsString<'a>, Node<'a>)>,
    places: BTreeMap<JsString<'a>, usize>,
}

impl<'a> Node<'a> {
    /// The value that JavaScript would hold.
    pub(crate) fn of(value: &'a Value) -> Self {
        Self::at_level(value, 0)
    }

    fn at_level(value: &'a Value, level: usize) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Self::String(JsString::Text(Cow::Borrowed(text))),
            Value::Array(_) | Value::Object(_) if level == MAX_NESTING => Self::TooDeep,
            Value::Array(items) => {
                Self::Array(items.iter().map(|item| Self::at_level(item, level + 1)).collect())
            }
            Value::Object(members) => {
                let member = |(key, value): (&'a String, &'a Value)| {
                    (JsString::Text(Cow::Borrowed(key)), Self::at_level(value, level + 1))
                };
                Self::Object(Members(members.iter().map(member).collect()))
            }
        }
    }

    pub(crate) fn as_object(&self) -> Option<&Members<'a>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Node<'a>]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_string(&self) -> Option<&JsString<'a>> {
        match self {
            Self::String(string) => Some(string),
            _ => None,
        }
    }

    /// The string, unless it holds a lone surrogate: for comparison with what is known.
    pub(crate) fn as_text(&self) -> Option<&str> {
        self.as_string()?.as_text()
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

impl<'a> Members<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.iter().find(|(key, _)| key.as_text() == Some(name)).map(|(_, node)| node)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(JsString<'a>, Node<'a>)> {
        self.0.iter()
    }

    /// The members without the one of that name.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.retain(|(key, _)| key.as_text() != Some(name));
        self
    }
}

impl<'a> MembersBuilder<'a> {
    /// Sets a member; a key that is there keeps its place and gets the new value.
    pub(super) fn set(&mut self, key: JsString<'a>, node: Node<'a>) {
        if let Some(member) = self.place_of(&key).and_then(|place| self.members.get_mut(place)) {
            member.1 = node;
            return;
        }
        if !self.places.is_empty() {
            self.places.insert(key.clone(), self.members.len());
        }
        self.members.push((key, node));
        if self.members.len() == INDEX_FROM {
            let keys = self.members.iter().map(|(key, _)| key.clone());
            self.places = keys.zip(0..).collect();
        }
    }

    fn place_of(&self, key: &JsString<'a>) -> Option<usize> {
        if self.places.is_empty() {
            return self.members.iter().position(|(known, _)| known == key);
        }
        self.places.get(key).copied()
    }

    pub(super) fn build(self) -> Members<'a> {
        Members(self.members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_repeated_key_keeps_its_place_among_few_and_among_many() {
        for count in [2, INDEX_FROM, 3 * INDEX_FROM] {
            let mut builder = MembersBuilder::default();
            for n in (0..count).chain([0, count - 1]) {
                let key = JsString::Text(format!("k{n}").into());
                builder.set(key, Node::Number(builder.members.len() as f64));
            }
            let members = builder.build();
            assert_eq!(members.iter().count(), count);
            assert_eq!(members.iter().next().unwrap().0.to_text(), "k0");
            assert_eq!(members.get("k0"), Some(&Node::Number(count as f64)));
        }
    }

    #[test]
    fn a_value_deeper_than_the_last_level_is_not_kept() {
        let nested = |levels: usize| (1..levels).fold(json!([]), |inner, _| json!([inner]));
        let kept = |value| levels_and_innermost(Node::of(value)) == (MAX_NESTING, Node::Null);
        assert!(kept(&nested(MAX_NESTING)));
        let cut = nested(MAX_NESTING + 2);
        assert_eq!(levels_and_innermost(Node::of(&cut)), (MAX_NESTING, Node::TooDeep));
    }

    fn levels_and_innermost(mut node: Node<'_>) -> (usize, Node<'_>) {
        let mut levels = 0;
        while let Node::Array(mut items) = node {
            levels += 1;
            node = items.pop().unwrap_or(Node::Null);
        }
        (levels, node)
    }
}
