//! Asking for a decision in the terminal.

use crate::store::Decision;
use std::io::{self, IsTerminal, Write};
use turnwire::loopengine::{ApprovalPending, LoopEvent, QuestionPending};

/// A pending item of a turn.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Approval(ApprovalPending),
    Question(QuestionPending),
}

impl Item {
    pub(super) fn of(event: &LoopEvent) -> Option<Self> {
        match event {
            LoopEvent::ApprovalPending(item) => Some(Self::Approval(item.clone())),
            LoopEvent::QuestionPending(item) => Some(Self::Question(item.clone())),
            _ => None,
        }
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Self::Approval(item) => &item.id,
            Self::Question(item) => &item.id,
        }
    }

    /// The item as the lists of pending items have it.
    pub(super) fn to_json(&self) -> String {
        let json = match self {
            Self::Approval(item) => serde_json::to_string(item),
            Self::Question(item) => serde_json::to_string(item),
        };
        json.unwrap_or_default()
    }

    /// Asks until there is an answer; none where the input ends. Blocks.
    pub(super) fn ask(&self) -> io::Result<Option<Decision>> {
        match self {
            Self::Approval(item) => ask_approval(item),
            Self::Question(item) => ask_question(item),
        }
    }
}

/// Whether somebody is there to ask.
pub(super) fn is_somebody_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

fn ask_approval(item: &ApprovalPending) -> io::Result<Option<Decision>> {
    let args = serde_json::Value::from(item.args.clone());
    let question = format!("{} {args} ({}). Approve? [y/n] ", item.tool, item.reason);
    while let Some(line) = prompt(&question)? {
        match line.to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(Some(Decision::Approve)),
            "n" | "no" => return Ok(Some(Decision::Deny)),
            _ => {}
        }
    }
    Ok(None)
}

/// A number picks an option; anything else is the answer itself.
fn ask_question(item: &QuestionPending) -> io::Result<Option<Decision>> {
    let options = item.options.as_deref().unwrap_or_default();
    let listed: String = options
        .iter()
        .enumerate()
        .map(|(index, option)| format!("  {}. {option}\n", index + 1))
        .collect();
    let line = prompt(&format!("{}\n{listed}> ", item.question))?;
    Ok(line.map(|line| Decision::Answer(chosen(options, line))))
}

fn chosen(options: &[String], line: String) -> String {
    let number: Option<usize> = line.parse().ok();
    let option =
        number.and_then(|number| number.checked_sub(1)).and_then(|index| options.get(index));
    option.cloned().unwrap_or(line)
}

/// On stderr: stdout belongs to the answer and the events.
fn prompt(text: &str) -> io::Result<Option<String>> {
    let mut stderr = io::stderr();
    write!(stderr, "{text}")?;
    stderr.flush()?;
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn a_number_picks_an_option_and_anything_else_is_the_answer() {
        let options = ["A-1001".to_owned(), "A-1002".to_owned()];
        for (line, answer) in [("2", "A-1002"), ("0", "0"), ("3", "3"), ("A-7", "A-7")] {
            assert_eq!(chosen(&options, line.into()), answer);
        }
    }
}
