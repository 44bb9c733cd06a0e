//! Taking typed fields out of a JSON object, with messages that name the field.

use crate::json::{JsonObject, type_name};
use serde_json::{Number, Value};

/// A type that a JSON value can be turned into; the value comes back when it does not fit.
pub(crate) trait FromJson: Sized {
    /// What the message says was expected.
    const EXPECTED: &'static str;

    fn from_json(value: Value) -> Result<Self, Value>;
}

impl FromJson for String {
    const EXPECTED: &'static str = "a string";

    fn from_json(value: Value) -> Result<Self, Value> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(other),
        }
    }
}

impl FromJson for Number {
    const EXPECTED: &'static str = "a number";

    fn from_json(value: Value) -> Result<Self, Value> {
        match value {
            Value::Number(number) => Ok(number),
            other => Err(other),
        }
    }
}

impl FromJson for bool {
    const EXPECTED: &'static str = "a boolean";

    fn from_json(value: Value) -> Result<Self, Value> {
        value.as_bool().ok_or(value)
    }
}

impl FromJson for JsonObject {
    const EXPECTED: &'static str = "an object";

    fn from_json(value: Value) -> Result<Self, Value> {
        match value {
            Value::Object(object) => Ok(object),
            other => Err(other),
        }
    }
}

impl FromJson for Vec<Value> {
    const EXPECTED: &'static str = "an array";

    fn from_json(value: Value) -> Result<Self, Value> {
        match value {
            Value::Array(items) => Ok(items),
            other => Err(other),
        }
    }
}

impl FromJson for Vec<String> {
    const EXPECTED: &'static str = "an array of strings";

    fn from_json(value: Value) -> Result<Self, Value> {
        match value {
            Value::Array(items) if items.iter().all(Value::is_string) => {
                Ok(items.into_iter().filter_map(|item| String::from_json(item).ok()).collect())
            }
            other => Err(other),
        }
    }
}

/// Why an object is not what its type says: one line that names the field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldFault(pub(crate) String);

/// An object whose fields are taken one by one; what is left over is kept as extra fields.
#[derive(Debug)]
pub(crate) struct Fields(JsonObject);

impl Fields {
    pub(crate) fn new(object: JsonObject) -> Self {
        Self(object)
    }

    pub(crate) fn required<T: FromJson>(&mut self, name: &str) -> Result<T, FieldFault> {
        match self.0.shift_remove(name) {
            Some(value) => typed(name, value),
            None => Err(FieldFault(format!("`{name}` is missing"))),
        }
    }

    /// An absent field and an explicit null are both `None`.
    pub(crate) fn optional<T: FromJson>(&mut self, name: &str) -> Result<Option<T>, FieldFault> {
        match self.0.shift_remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => typed(name, value).map(Some),
        }
    }

    /// An object field that is read by `read`; its faults name the path.
    pub(crate) fn nested<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, FieldFault>,
    ) -> Result<T, FieldFault> {
        let mut inner = Self(self.required(name)?);
        read(&mut inner).map_err(|fault| FieldFault(format!("in `{name}`: {}", fault.0)))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    pub(crate) fn rest(&mut self) -> JsonObject {
        std::mem::take(&mut self.0)
    }
}

fn typed<T: FromJson>(name: &str, value: Value) -> Result<T, FieldFault> {
    T::from_json(value).map_err(|value| {
        FieldFault(format!("`{name}`: expected {}, found {}", T::EXPECTED, type_name(&value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        Fields::new(value.as_object().unwrap().clone())
    }

    #[test]
    fn faults_name_the_field_and_both_types() {
        let mut object = fields(json!({"args": null, "scope": {"tenant": 1}}));
        assert_eq!(object.required::<String>("id").unwrap_err().0, "`id` is missing");
        assert_eq!(
            object.required::<JsonObject>("args").unwrap_err().0,
            "`args`: expected an object, found null"
        );
        let nested = object.nested("scope", |scope| scope.required::<String>("tenant"));
        assert_eq!(
            nested.unwrap_err().0,
            "in `scope`: `tenant`: expected a string, found a number"
        );
    }

    #[test]
    fn keeps_what_was_not_taken_in_order() {
        let mut object = fields(json!({"z": 1, "id": "x", "a": 2}));
        assert_eq!(object.required::<String>("id").unwrap(), "x");
        assert_eq!(object.rest().keys().collect::<Vec<_>>(), ["z", "a"]);
    }
}
