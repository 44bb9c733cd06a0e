//! The parts of a message: text and attachments.

use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::named::named;
use crate::json::{self, Members, Node};
use serde::{Serialize, Serializer};

/// One part of a message.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit@5cb1c6df.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum MessagePart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// Where it is, or what it is.
        source: String,
        /// Its media type.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// How closely a model is to look at it.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<ImageDetail>,
    },
    /// Sound.
    Audio {
        /// Where it is, or what it is.
        source: String,
        /// Its media type.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// How long it is, in seconds.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "duration")]
        duration_sec: Option<f64>,
    },
    /// Moving pictures.
    Video {
        /// Where it is, or what it is.
        source: String,
        /// Its media type.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// How long it is, in seconds.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "duration")]
        duration_sec: Option<f64>,
    },
    /// Any other file.
    File {
        /// Where it is, or what it is.
        source: String,
        /// Its media type.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<String>,
    },
}

named! {
    /// How closely a model is to look at a picture.
    DetailLevel {
        /// A glance.
        Low = "low",
        /// Closely.
        High = "high",
        /// As the model sees fit.
        Auto = "auto",
    }
}

/// The level of detail of a picture, and the brackets around it.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit@5cb1c6df: the value is compared after its conversion to a
/// string, so `["low"]` passes for `"low"`, and is kept as it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageDetail {
    level: DetailLevel,
    brackets: usize,
}

impl ImageDetail {
    /// The level.
    #[must_use]
    pub fn level(&self) -> DetailLevel {
        self.level
    }
}

impl From<DetailLevel> for ImageDetail {
    fn from(level: DetailLevel) -> Self {
        Self { level, brackets: 0 }
    }
}

impl Read for MessagePart {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let kind = fields.get("type")?.as_text()?;
        if kind == "text" {
            return Some(Self::Text { text: fields.field("text")? });
        }
        Self::read_attachment(kind, fields)
    }
}

impl MessagePart {
    fn read_attachment(kind: &str, fields: &Members<'_>) -> Option<Self> {
        let source = fields.field("source")?;
        let mime_type = fields.optional("mimeType")?;
        match kind {
            "image" => Some(Self::Image { source, mime_type, detail: fields.optional("detail")? }),
            "audio" => Some(Self::Audio { source, mime_type, duration_sec: seconds(fields)? }),
            "video" => Some(Self::Video { source, mime_type, duration_sec: seconds(fields)? }),
            "file" => {
                Some(Self::File { source, mime_type, filename: fields.optional("filename")? })
            }
            _ => None,
        }
    }
}

/// A finite number from zero on.
fn seconds(fields: &Members<'_>) -> Option<Option<f64>> {
    let Some(node) = fields.get("durationSec") else {
        return Some(None);
    };
    let is_duration = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
    node.as_number().filter(is_duration).map(Some)
}

impl Read for ImageDetail {
    fn read(node: &Node<'_>) -> Option<Self> {
        let mut brackets = 0;
        let mut node = node;
        while let Node::Array(items) = node {
            let [inner] = items.as_slice() else {
                return None;
            };
            brackets += 1;
            node = inner;
        }
        Some(Self { level: DetailLevel::read(node)?, brackets })
    }
}

impl Serialize for ImageDetail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.brackets.checked_sub(1) {
            None => self.level.serialize(serializer),
            Some(brackets) => [Self { brackets, ..*self }].serialize(serializer),
        }
    }
}

fn duration<S: Serializer>(seconds: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    json::serialize_number(&seconds.unwrap_or_default(), serializer)
}
