//! Lists of values → arrays whose objects keep their identity until they change.

use crate::error::{parse, to_json};
use js_sys::{Array, Object};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A list whose unchanged items are the same objects in the next one.
#[derive(Debug)]
pub(crate) struct SharedList<T> {
    values: Vec<Arc<T>>,
    list: Array,
    is_frozen: bool,
}

impl<T: Serialize + PartialEq> SharedList<T> {
    /// An empty list of objects that cannot be changed.
    pub(crate) fn frozen() -> Self {
        Self { is_frozen: true, ..Self::default() }
    }

    /// The array for these values; the same one as long as nothing changes.
    pub(crate) fn update(&mut self, values: &[Arc<T>]) -> &Array {
        let is_same = |index: usize, value: &Arc<T>| {
            self.values.get(index).is_some_and(|known| Arc::ptr_eq(known, value) || known == value)
        };
        let untouched = values.len() == self.values.len()
            && values.iter().enumerate().all(|(index, value)| is_same(index, value));
        if !untouched {
            let places: HashMap<_, _> = self.values.iter().map(Arc::as_ptr).zip(0..).collect();
            let object = |(index, value)| match places.get(&Arc::as_ptr(value)) {
                Some(place) => self.list.get(*place),
                None if is_same(index, value) => self.list.get(index as u32),
                None => self.parse(&to_json(value)),
            };
            self.list = values.iter().enumerate().map(object).collect();
            if self.is_frozen {
                Object::freeze(&self.list);
            }
        }
        self.values = values.to_vec();
        &self.list
    }

    fn parse(&self, json: &str) -> JsValue {
        if self.is_frozen { frozen(parse(json)) } else { parse(json) }
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self { values: Vec::new(), list: Array::new(), is_frozen: false }
    }
}

/// Freezes a value of JSON, whose depth is bounded where it was decoded.
pub(crate) fn frozen(value: JsValue) -> JsValue {
    if let Some(object) = value.dyn_ref::<Object>().filter(|object| !Object::is_frozen(object)) {
        for member in Object::values(object) {
            frozen(member);
        }
        Object::freeze(object);
    }
    value
}
