//! Taking typed fields out of a JSON object, with messages that name the field.

use crate::json::{JsonObject, type_name};
use serde_json::{Number, Value};
use std::fmt;

/// A type that a JSON value can be turned into.
pub(crate) trait FromJson: Sized {
    /// What the message says was expected.
    const EXPECTED: &'static str;

    fn from_json(value: Value) -> Result<Self, Misfit>;
}

/// Why a value is not of a type.
#[derive(Debug)]
pub(crate) enum Misfit {
    /// It is something else, and comes back.
    Type(Value),
    /// Something in it is at fault.
    Inside(FieldFault),
}

/// Why an object is not what its type says: one line that names the field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldFault {
    /// Such as `scope.tenant` or `history[2].role`.
    path: String,
    /// Continues the path to a sentence.
    problem: String,
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`{}", self.path, self.problem)
    }
}

impl FieldFault {
    pub(crate) fn new(path: &str, problem: &str) -> Self {
        Self { path: path.into(), problem: problem.into() }
    }

    /// The fault as seen from the object that holds the faulty one.
    fn below(self, outer: &str) -> Self {
        let dot = if self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{outer}{dot}{}", self.path), ..self }
    }
}

impl From<FieldFault> for Misfit {
    fn from(fault: FieldFault) -> Self {
        Self::Inside(fault)
    }
}

/// Implements [`FromJson`] for what one kind of JSON value holds.
macro_rules! from_json {
    ($($type:ty: $kind:ident, $expected:literal;)+) => {
        $(
            impl FromJson for $type {
                const EXPECTED: &'static str = $expected;

                fn from_json(value: Value) -> Result<Self, Misfit> {
                    match value {
                        Value::$kind(inner) => Ok(inner),
                        other => Err(Misfit::Type(other)),
                    }
                }
            }
        )+
    };
}

from_json! {
    String: String, "a string";
    Number: Number, "a number";
    bool: Bool, "a boolean";
    JsonObject: Object, "an object";
}

impl<T: FromJson> FromJson for Vec<T> {
    const EXPECTED: &'static str = "an array";

    fn from_json(value: Value) -> Result<Self, Misfit> {
        let Value::Array(items) = value else {
            return Err(Misfit::Type(value));
        };
        let item = |(index, item)| typed(&format!("[{index}]"), item);
        items.into_iter().enumerate().map(item).collect::<Result<_, _>>().map_err(Into::into)
    }
}

/// A field's type: required, or optional if it is an `Option`.
pub(crate) trait Field: Sized {
    fn take(fields: &mut Fields, name: &str) -> Result<Self, FieldFault>;

    /// Whether the field is left out of what is sent.
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T: FromJson> Field for T {
    fn take(fields: &mut Fields, name: &str) -> Result<Self, FieldFault> {
        match fields.0.shift_remove(name) {
            Some(value) => typed(name, value),
            None => Err(FieldFault::new(name, " is missing")),
        }
    }
}

impl<T: FromJson> Field for Option<T> {
    /// An absent field and an explicit null are both `None`.
    fn take(fields: &mut Fields, name: &str) -> Result<Self, FieldFault> {
        match fields.0.shift_remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => typed(name, value).map(Some),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

/// An object whose fields are taken one by one; what is left over is kept as extra fields.
#[derive(Debug)]
pub(crate) struct Fields(JsonObject);

impl Fields {
    pub(crate) fn new(object: JsonObject) -> Self {
        Self(object)
    }

    pub(crate) fn of(value: Value) -> Result<Self, Misfit> {
        JsonObject::from_json(value).map(Self)
    }

    pub(crate) fn take<T: Field>(&mut self, name: &str) -> Result<T, FieldFault> {
        T::take(self, name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    pub(crate) fn rest(self) -> JsonObject {
        self.0
    }
}

fn typed<T: FromJson>(name: &str, value: Value) -> Result<T, FieldFault> {
    T::from_json(value).map_err(|misfit| match misfit {
        Misfit::Inside(fault) => fault.below(name),
        Misfit::Type(value) => {
            let found = type_name(&value);
            FieldFault::new(name, &format!(": expected {}, found {found}", T::EXPECTED))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        Fields::of(value).unwrap()
    }

    fn fault<T: Field + std::fmt::Debug>(value: Value, name: &str) -> String {
        fields(value).take::<T>(name).unwrap_err().to_string()
    }

    #[test]
    fn faults_name_the_field_and_both_types() {
        assert_eq!(fault::<String>(json!({}), "id"), "`id` is missing");
        assert_eq!(
            fault::<JsonObject>(json!({"args": null}), "args"),
            "`args`: expected an object, found null"
        );
        assert_eq!(
            fault::<Option<Vec<Vec<String>>>>(json!({"a": [[], ["x", 1]]}), "a"),
            "`a[1][1]`: expected a string, found a number"
        );
    }

    #[test]
    fn keeps_what_was_not_taken_in_order() {
        let mut object = fields(json!({"z": 1, "id": "x", "a": 2}));
        assert_eq!(object.take::<String>("id").unwrap(), "x");
        assert_eq!(object.rest().keys().collect::<Vec<_>>(), ["z", "a"]);
    }
}
