//! A second decoder of contents, as the protocol tells it: slow, and without a thought for chunks.

use turnwire::agentskit::{
    ASSISTANT_CONTENT_MAX_BYTES, ASSISTANT_CONTENT_MAX_RECORDS, ASSISTANT_CONTENT_PREFIX,
    AssistantContent, Diagnostic, decode_assistant_content,
};

const ROOT: &str = "\u{1e}agentskit.chat.content/";

/// What the naive decoder finds.
pub(crate) struct Found {
    fault: Option<&'static str>,
    records: usize,
    complete: bool,
    /// How many records stand before the first bad one or the first limit.
    pub(crate) sound_records: usize,
}

/// A result in few words: what is wrong, or how many parts there are and whether they are all.
pub(crate) type Outcome = Result<(usize, bool), String>;

impl Found {
    pub(crate) fn outcome(&self) -> Outcome {
        match self.fault {
            Some(fault) => Err(fault.to_owned()),
            None => Ok((self.records, self.complete)),
        }
    }

    fn refused(fault: &'static str, sound_records: usize) -> Self {
        Self { fault: Some(fault), records: 0, complete: false, sound_records }
    }
}

pub(crate) fn told(result: &Result<AssistantContent, Diagnostic>) -> Outcome {
    match result {
        Ok(content) => Ok((content.parts.len(), content.complete)),
        Err(diagnostic) => Err(diagnostic.message().to_owned()),
    }
}

pub(crate) fn decode(content: &str) -> Found {
    let is_open = ASSISTANT_CONTENT_PREFIX.starts_with(content);
    if content.is_empty() || !(is_open || content.starts_with(ROOT)) {
        return Found::refused("Assistant content envelope is invalid.", 0);
    }
    if is_open {
        return Found { fault: None, records: 0, complete: false, sound_records: 0 };
    }
    let Some(body) = content.strip_prefix(ASSISTANT_CONTENT_PREFIX) else {
        return Found::refused("Assistant content envelope uses an unsupported version.", 0);
    };
    let mut lines: Vec<_> = body.split('\n').collect();
    let rest = lines.pop().unwrap_or_default();
    let sound_records = sound_records(&lines);
    if content.len() > ASSISTANT_CONTENT_MAX_BYTES {
        let fault = "Assistant content envelope exceeds its safety limit.";
        return Found::refused(fault, sound_records);
    }
    if lines.len() > ASSISTANT_CONTENT_MAX_RECORDS {
        let fault = "Assistant content envelope exceeds its record limit.";
        return Found::refused(fault, sound_records);
    }
    if sound_records < lines.len() {
        return Found::refused("Assistant content record is invalid.", sound_records);
    }
    Found { fault: None, records: lines.len(), complete: rest.is_empty(), sound_records }
}

fn sound_records(lines: &[&str]) -> usize {
    let mut bytes = ASSISTANT_CONTENT_PREFIX.len();
    let is_sound = |line: &&&str| {
        bytes += line.len() + 1;
        let alone = format!("{ASSISTANT_CONTENT_PREFIX}{line}\n");
        bytes <= ASSISTANT_CONTENT_MAX_BYTES && decode_assistant_content(&alone).is_ok()
    };
    lines.iter().take(ASSISTANT_CONTENT_MAX_RECORDS).take_while(is_sound).count()
}
