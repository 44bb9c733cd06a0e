//! Errors on their way to JavaScript.

use js_sys::{Error, Function, Reflect};
use std::collections::HashSet;
use turnwire::ErrorKind;
use turnwire_js::{decode_event, error_of_kind, set_error_factory};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

#[wasm_bindgen_test]
fn every_kind_crosses_with_its_own_code() {
    let mut arrived = HashSet::new();
    for kind in ErrorKind::ALL {
        let error = error_of_kind(*kind);
        assert!(error.is_instance_of::<Error>(), "{}", kind.code());
        assert_eq!(field(&error, "code").as_string().as_deref(), Some(kind.code()));
        assert!(field(&error, "retryable").as_bool().is_some());
        assert!(field(&error, "message").is_string());
        arrived.insert(kind.code());
    }
    assert_eq!(arrived.len(), ErrorKind::ALL.len());
}

#[wasm_bindgen_test]
fn fields_that_do_not_apply_are_absent() {
    let error = decode_event(&"{".into()).unwrap_err();
    for name in ["status", "offset", "itemIds", "http"] {
        assert!(field(&error, name).is_undefined(), "{name}");
    }
}

// One test, as a factory that is set stays set; the last one does for the other tests.
#[wasm_bindgen_test]
fn the_factory_makes_the_error() {
    let plain = error_of_kind(ErrorKind::StreamInterrupted);
    assert!(field(&plain, "own").is_undefined());
    assert_eq!(field(&plain, "code").as_string().as_deref(), Some("stream-interrupted"));

    let source = "made = Object.assign(new RangeError(fields.message), fields, { own: true }); \
                  return made;";
    set_error_factory(Function::new_with_args("fields, made", source));
    let error = error_of_kind(ErrorKind::StreamInterrupted);
    assert_eq!(field(&error, "own"), JsValue::TRUE);
    assert_eq!(field(&error, "retryable"), JsValue::TRUE);
    assert_eq!(field(&error, "code").as_string().as_deref(), Some("stream-interrupted"));

    set_error_factory(Function::new_no_args("throw 'of the factory'"));
    assert_eq!(error_of_kind(ErrorKind::Closed).as_string().as_deref(), Some("of the factory"));

    set_error_factory(Function::new_with_args("fields", "return Object.assign(Error(), fields)"));
}
