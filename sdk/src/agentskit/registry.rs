//! Components by their keys, each with props of a type.

use super::diagnostic::Diagnostic;
use super::frame::ComponentFrame;
use super::scalar::ComponentKey;
use crate::Result as SdkResult;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fmt;

#[cfg(not(target_arch = "wasm32"))]
type Draw<V> = dyn Fn(&ComponentFrame) -> Result<V, Diagnostic> + Send + Sync;
#[cfg(target_arch = "wasm32")]
type Draw<V> = dyn Fn(&ComponentFrame) -> Result<V, Diagnostic>;

/// The components that a front end draws, each with props of a type of its own.
///
/// `V` is whatever the front end draws with: a Leptos view, Yew's `Html`, a text. Keys and props
/// come from whoever sends the frame: neither is trusted, and neither can make drawing panic.
///
/// # Protocol
/// Codes, texts and the order of the checks observed in AgentsKit-io/agentskit-chat@9836963: first
/// the key, then the props.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{ComponentRegistry, Diagnostic, decode_component_frame};
///
/// #[derive(serde::Deserialize)]
/// struct Progress { label: String, value: u8 }
///
/// let registry = ComponentRegistry::new()
///     .with("progress", |props: Progress, _| format!("{}: {} %", props.label, props.value))?;
/// let frame = |key: &str, props: &str| decode_component_frame(format!(
///     r#"{{"protocol":"agentskit.chat.component","version":1,"type":"render",
///         "componentKey":"{key}","instanceId":"p1","props":{props},
///         "fallback":{{"kind":"progress","summary":"40 % done"}}}}"#,
/// ).as_str()).unwrap();
///
/// let drawn = registry.draw(&frame("progress", r#"{"label":"Parcel","value":40}"#));
/// assert_eq!(drawn.as_deref(), Ok("Parcel: 40 %"));
/// assert_eq!(registry.draw(&frame("map", "{}")), Err(Diagnostic::UNKNOWN_COMPONENT));
/// assert_eq!(registry.draw(&frame("progress", "{}")), Err(Diagnostic::INVALID_PROPS));
/// # Ok::<(), turnwire::Error>(())
/// ```
pub struct ComponentRegistry<V> {
    components: HashMap<ComponentKey, Box<Draw<V>>>,
}

impl<V> ComponentRegistry<V> {
    /// A registry that knows no component.
    #[must_use]
    pub fn new() -> Self {
        Self { components: HashMap::new() }
    }

    /// Registers a component in the place of any other of its key. `view` gets the props and the
    /// frame that they came in, which names the instance and makes its events.
    ///
    /// What `P` does not deserialise from is refused, so a check of the props belongs there.
    ///
    /// # Errors
    /// `invalid-argument` if the key is no [`ComponentKey`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with<P: DeserializeOwned>(
        self,
        key: &str,
        view: impl Fn(P, &ComponentFrame) -> V + Send + Sync + 'static,
    ) -> SdkResult<Self> {
        self.add(key, Box::new(move |frame| Ok(view(props(frame)?, frame))))
    }

    /// Registers a component in the place of any other of its key. `view` gets the props and the
    /// frame that they came in, which names the instance and makes its events.
    ///
    /// What `P` does not deserialise from is refused, so a check of the props belongs there.
    ///
    /// # Errors
    /// `invalid-argument` if the key is no [`ComponentKey`].
    #[cfg(target_arch = "wasm32")]
    pub fn with<P: DeserializeOwned>(
        self,
        key: &str,
        view: impl Fn(P, &ComponentFrame) -> V + 'static,
    ) -> SdkResult<Self> {
        self.add(key, Box::new(move |frame| Ok(view(props(frame)?, frame))))
    }

    /// Whether there is a component of this key.
    #[must_use]
    pub fn has(&self, key: &ComponentKey) -> bool {
        self.components.contains_key(key)
    }

    /// Draws a component; where it cannot, the frame's
    /// [fallback](ComponentFrame::fallback) says in words what it means.
    ///
    /// # Errors
    /// [`Diagnostic::UNKNOWN_COMPONENT`], [`Diagnostic::INVALID_PROPS`].
    pub fn draw(&self, frame: &ComponentFrame) -> Result<V, Diagnostic> {
        let draw = self.components.get(&frame.component_key);
        draw.ok_or(Diagnostic::UNKNOWN_COMPONENT)?(frame)
    }

    fn add(mut self, key: &str, draw: Box<Draw<V>>) -> SdkResult<Self> {
        self.components.insert(ComponentKey::new(key)?, draw);
        Ok(self)
    }
}

fn props<P: DeserializeOwned>(frame: &ComponentFrame) -> Result<P, Diagnostic> {
    frame.props.to().map_err(|_| Diagnostic::INVALID_PROPS)
}

impl<V> Default for ComponentRegistry<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V> fmt::Debug for ComponentRegistry<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.components.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::agentskit::{ComponentEvent, Fallback, SafeId};
    use crate::json::JsonText;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[derive(Deserialize)]
    struct Choices {
        prompt: String,
    }

    fn frame(key: &str, props: &Value) -> ComponentFrame {
        ComponentFrame {
            component_key: ComponentKey::new(key).unwrap(),
            instance_id: SafeId::new("i-1").unwrap(),
            props: JsonText::of(props).unwrap(),
            fallback: Fallback::new(key, "words").unwrap(),
        }
    }

    fn registry() -> ComponentRegistry<String> {
        let view = |props: Choices, frame: &ComponentFrame| {
            let chosen = frame.select("a").unwrap();
            format!("{} {}", props.prompt, ComponentEvent::Selection(chosen).instance_id())
        };
        ComponentRegistry::new().with("choice-list", view).unwrap()
    }

    #[test]
    fn a_view_gets_its_props_and_the_instance_that_it_draws() {
        let drawn = registry().draw(&frame("choice-list", &json!({"prompt": "Which?", "x": 1})));
        assert_eq!(drawn.unwrap(), "Which? i-1");
    }

    #[test]
    fn the_key_is_looked_at_before_the_props() {
        let draw = |key, props| registry().draw(&frame(key, &props));
        assert_eq!(draw("table", json!(null)), Err(Diagnostic::UNKNOWN_COMPONENT));
        for props in [json!(null), json!([]), json!({}), json!({"prompt": 1}), json!("prompt")] {
            assert_eq!(draw("choice-list", props), Err(Diagnostic::INVALID_PROPS));
        }
    }

    #[test]
    fn the_last_of_a_key_is_the_one_that_is_drawn() {
        let registry = registry().with("choice-list", |(): (), _| "other".to_owned()).unwrap();
        assert_eq!(registry.draw(&frame("choice-list", &json!(null))), Ok("other".to_owned()));
        assert!(registry.has(&ComponentKey::new("choice-list").unwrap()));
        assert!(!registry.has(&ComponentKey::new("table").unwrap()));
    }

    #[test]
    fn what_is_no_key_cannot_be_registered() {
        let refused = registry().with("Choice list", |(): (), _| String::new());
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
