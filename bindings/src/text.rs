//! JavaScript strings → Rust strings.

use js_sys::JsString;
use turnwire::{Error, ErrorKind, Result};
use wasm_bindgen::prelude::*;

/// A string argument.
///
/// # Errors
/// `invalid-argument` for anything but a string, and for one with a lone surrogate: UTF-8 cannot
/// hold it, and what the person typed must not be sent as something else.
pub(crate) fn text(name: &str, value: &JsValue) -> Result<String> {
    let Some(text) = value.as_string() else {
        return Err(invalid(format!("{name}: expected a string")));
    };
    // Lone surrogates have become U+FFFD by now; only then is the original looked at.
    if text.contains('\u{fffd}') && !is_well_formed(value) {
        return Err(invalid(format!("{name}: expected well-formed text, found a lone surrogate")));
    }
    Ok(text)
}

pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

fn is_well_formed(value: &JsValue) -> bool {
    value.dyn_ref::<JsString>().is_some_and(JsString::is_valid_utf16)
}
