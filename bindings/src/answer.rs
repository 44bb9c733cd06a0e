//! What a plain request is answered with → JavaScript.

use crate::error::to_js;
use js_sys::Array;
use turnwire::client::Decoded;
use turnwire::json::imprecise_integers;
use turnwire::loopengine::{Received, TurnResult};
use wasm_bindgen::prelude::*;

/// A turn's result as `[json, damaged, integers]`.
///
/// `damaged` lists `[index, error]` of each of its events that is none.
pub(crate) fn of_turn(answer: &Decoded<TurnResult>, reports_integers: bool) -> Array {
    let events = answer.value.events().iter().enumerate();
    let damaged = events.filter_map(|(index, received)| match received {
        Received::Damaged(damaged) => Some(damaged_at(index, &to_js(&damaged.error))),
        Received::Event(_) => None,
    });
    Array::of3(
        &answer.json.as_str().into(),
        &damaged.collect::<Array>(),
        &integers_in(&answer.json, reports_integers),
    )
}

/// Any other answer in the same shape.
pub(crate) fn of_json(json: &str, reports_integers: bool) -> Array {
    Array::of3(&json.into(), &Array::new(), &integers_in(json, reports_integers))
}

/// The integers that JavaScript would round; `undefined` if there are none or nobody asks.
pub(crate) fn integers_in(json: &str, reports_integers: bool) -> JsValue {
    if !reports_integers {
        return JsValue::UNDEFINED;
    }
    let found: Array = imprecise_integers(json).map(JsValue::from_str).collect();
    if found.length() == 0 { JsValue::UNDEFINED } else { found.into() }
}

fn damaged_at(index: usize, error: &JsValue) -> Array {
    Array::of2(&(index as f64).into(), error)
}
