//! A call's or a chat's settings, which cross as one JSON text, with a function for headers beside it
//! where there is one.

use crate::header_function::{pairs_of, source_of};
use crate::text::{invalid, text};
use js_sys::{Array, Function};
use serde_json::{Map, Value};
use std::time::Duration;
use turnwire::client::{
    FetchTransport, LoopClient, Reconnect, RequestOptions, Timeouts, TurnClient,
};
use turnwire::{Limits, Result};
use wasm_bindgen::prelude::*;

/// What JavaScript callers set, read from
/// `{sessionId?, headers?: [name, value][], body?, timeouts?, limits?, reconnect?, alone?,
/// reportsIntegers?}`.
pub(crate) struct Settings {
    fields: Map<String, Value>,
    header_function: Option<Function>,
}

impl Settings {
    /// Reads a JSON text, or a list of one and the function that gives headers.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub(crate) fn read(given: &JsValue) -> Result<Self> {
        let Some(both) = given.dyn_ref::<Array>() else { return Self::parse(given, None) };
        Self::parse(&both.get(0), both.get(1).dyn_into().ok())
    }

    fn parse(json: &JsValue, header_function: Option<Function>) -> Result<Self> {
        // serde_json's own parser, unlike `turnwire::json`, refuses a lone surrogate.
        match serde_json::from_str(&text("options", json)?) {
            Ok(Value::Object(fields)) => Ok(Self { fields, header_function }),
            _ => Err(invalid("options: expected what JSON can hold, without lone surrogates")),
        }
    }

    /// A client with these settings.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub(crate) fn client(&self, base_url: &str) -> Result<LoopClient<FetchTransport>> {
        let client = LoopClient::new(FetchTransport, base_url)?
            .with_headers(self.headers()?)?
            .with_timeouts(self.timeouts()?)
            .with_limits(self.limits()?)
            .with_reconnect(self.reconnect()?);
        Ok(match &self.header_function {
            Some(function) => client.with_header_source(source_of(function.clone())),
            None => client,
        })
    }

    /// A client of AgentsKit's turns with these settings.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub(crate) fn turn_client(&self, url: &str) -> Result<TurnClient<FetchTransport>> {
        let client = TurnClient::new(FetchTransport, url)?
            .with_headers(self.headers()?)?
            .with_timeouts(self.timeouts()?)
            .with_limits(self.limits()?)
            .with_reconnect(self.reconnect()?);
        Ok(match &self.header_function {
            Some(function) => client.with_header_source(source_of(function.clone())),
            None => client,
        })
    }

    /// The options of one request; its headers are the client's.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub(crate) fn options(&self) -> Result<RequestOptions> {
        Ok(RequestOptions {
            session_id: self.session_id()?,
            body: self.object("body")?.cloned().unwrap_or_default(),
            ..RequestOptions::default()
        })
    }

    /// Whether integers that JavaScript would round are reported.
    pub(crate) fn reports_integers(&self) -> bool {
        self.fields.get("reportsIntegers") == Some(&Value::Bool(true))
    }

    /// # Errors
    /// `invalid-argument`.
    fn session_id(&self) -> Result<Option<String>> {
        match self.fields.get("sessionId") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(id)) => Ok(Some(id.clone())),
            Some(_) => Err(invalid("options.sessionId: expected a string")),
        }
    }

    fn headers(&self) -> Result<Vec<(String, String)>> {
        self.fields.get("headers").map_or(Ok(Vec::new()), pairs_of)
    }

    fn timeouts(&self) -> Result<Timeouts> {
        let given = self.object("timeouts")?;
        let Timeouts { connect, response, idle, total } = Timeouts::default();
        Ok(Timeouts {
            connect: duration(given, "connectMs", connect)?,
            response: duration(given, "responseMs", response)?,
            idle: duration(given, "idleMs", idle)?,
            total: duration(given, "totalMs", total)?,
        })
    }

    fn limits(&self) -> Result<Limits> {
        let given = self.object("limits")?;
        let limits = Limits::default();
        Ok(Limits {
            max_frame_bytes: size(given, "maxFrameBytes", limits.max_frame_bytes)?,
            max_response_bytes: size(given, "maxResponseBytes", limits.max_response_bytes)?,
            max_message_bytes: size(given, "maxMessageBytes", limits.max_message_bytes)?,
            ..limits
        })
    }

    /// Whether a chat is to take no notice of the page that it is in.
    pub(crate) fn is_alone(&self) -> bool {
        self.fields.get("alone") == Some(&Value::Bool(true))
    }

    fn reconnect(&self) -> Result<Reconnect> {
        let given = self.object("reconnect")?;
        let Reconnect { attempts, base, cap } = Reconnect::default();
        Ok(Reconnect {
            attempts: count(given, attempts)?,
            base: wait(given, "baseMs", base)?,
            cap: wait(given, "capMs", cap)?,
        })
    }

    fn object(&self, name: &str) -> Result<Option<&Map<String, Value>>> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(_) => Err(invalid(format!("options.{name}: expected an object"))),
        }
    }
}

/// `null`, which is also how JSON has `Infinity`, means no bound.
fn duration(
    given: Option<&Map<String, Value>>,
    name: &str,
    default: Option<Duration>,
) -> Result<Option<Duration>> {
    match given.and_then(|given| given.get(name)) {
        None => Ok(default),
        Some(Value::Null) => Ok(None),
        Some(value) => match positive(value) {
            Some(ms) => Ok(Some(Duration::from_millis(ms))),
            None => Err(invalid(format!("options.timeouts.{name}: expected milliseconds above 0"))),
        },
    }
}

fn count(given: Option<&Map<String, Value>>, default: u32) -> Result<u32> {
    let Some(value) = given.and_then(|given| given.get("attempts")) else { return Ok(default) };
    let attempts = value.as_f64().filter(|number| *number >= 0.0);
    // `null` is how JSON has `Infinity`; the conversion saturates.
    let attempts = attempts.or(value.is_null().then_some(f64::INFINITY));
    attempts
        .map(|number| number as u32)
        .ok_or_else(|| invalid("options.reconnect.attempts: expected a number from 0"))
}

fn wait(given: Option<&Map<String, Value>>, name: &str, default: Duration) -> Result<Duration> {
    let Some(value) = given.and_then(|given| given.get(name)) else { return Ok(default) };
    let ms = positive(value).map(Duration::from_millis);
    ms.ok_or_else(|| invalid(format!("options.reconnect.{name}: expected milliseconds above 0")))
}

fn size(given: Option<&Map<String, Value>>, name: &str, default: usize) -> Result<usize> {
    let Some(value) = given.and_then(|given| given.get(name)) else { return Ok(default) };
    let bytes = positive(value).map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    bytes.ok_or_else(|| invalid(format!("options.limits.{name}: expected bytes above 0")))
}

/// A number above zero, rounded up to a whole one.
fn positive(value: &Value) -> Option<u64> {
    // The conversion saturates, and so does a number that is too large.
    value.as_f64().filter(|number| *number > 0.0).map(|number| number.ceil() as u64)
}
