//! How a turn's stream ends, and what is sent for it.

use crate::agentskit_turns::{
    SESSION, TURN, client, complete, diagnostic, lines, session, snapshot, streaming, turn,
};
use crate::requests::header;
use crate::script::{Reply, SECOND, Script, Step, bytes};
use std::time::Duration;
use turnwire::agentskit::{InteractionEvent, SelectionEvent, TurnPayload, decode_turn_event};
use turnwire::client::{RequestOptions, Timeouts, TurnInput, TurnLine};
use turnwire::json::JsonText;
use turnwire::{Error, ErrorKind, Limits};

/// All lines of a turn, and the error that ended them.
fn play(script: &Script, timeouts: Timeouts) -> (Vec<TurnLine>, Option<Error>) {
    let client = client(script).with_timeouts(timeouts);
    let event = client.submission(session(script).cursor().session_id(), 4, "hi").unwrap();
    script.run(async {
        let mut stream = client.submit(&event, &RequestOptions::default()).await.unwrap();
        let mut seen = Vec::new();
        while let Some(line) = stream.next().await {
            match line {
                Ok(line) => seen.push(line),
                Err(error) => {
                    assert!(stream.next().await.is_none(), "nothing comes after an error");
                    return (seen, Some(error));
                }
            }
        }
        assert!(stream.next().await.is_none(), "nothing comes after the end");
        (seen, None)
    })
}

fn kind_after(steps: impl IntoIterator<Item = Step>) -> Option<ErrorKind> {
    let script = Script::new([Reply::lines(steps)]);
    play(&script, Timeouts::default()).1.map(|error| error.kind())
}

#[test]
fn a_submission_is_an_event_under_names_of_its_own() {
    let script = Script::new([turn(&[complete(2, "x")])]);
    play(&script, Timeouts::default());
    let request = &script.requests()[0];
    assert_eq!(request.url, "http://h/agents/shop/turns");
    assert_eq!(header(request, "accept"), ["application/x-ndjson"]);
    assert_eq!(header(request, "content-type"), ["application/json"]);
    let event = decode_turn_event(request.body.as_deref().unwrap()).unwrap();
    assert_eq!((&*event.session_id, &*event.turn_id, event.sequence), (SESSION, TURN, 4));
    assert!(event.emitted_at.as_str() > "2026-01-01T00:00:00.000Z");
    assert!(matches!(event.payload, TurnPayload::Submit(submitted) if submitted.input == "hi"));
}

#[test]
fn what_is_done_with_a_component_is_submitted_as_its_event() {
    let value = JsonText::parse(r#"{"rows":[2]}"#).unwrap();
    let selection = SelectionEvent::new("choice-list", "c1", "yes").unwrap();
    let interaction = InteractionEvent::new("table", "t1", "sort", Some(&value)).unwrap();
    for (input, json) in [
        (TurnInput::from(&selection), serde_json::to_string(&selection).unwrap()),
        (TurnInput::from(&interaction), serde_json::to_string(&interaction).unwrap()),
    ] {
        let script = Script::new([turn(&[complete(2, "x")])]);
        script.run(session(&script).submit(input)).unwrap();
        let event = decode_turn_event(script.requests()[0].body.as_deref().unwrap()).unwrap();
        assert!(matches!(event.payload, TurnPayload::Submit(sent) if sent.input == json));
    }
}

#[test]
fn what_is_no_input_is_not_sent() {
    let script = Script::default();
    let limits = Limits { max_message_bytes: 4, ..Limits::default() };
    let client = client(&script).with_limits(limits);
    let id = session(&script).cursor().session_id().clone();
    for input in ["", " \u{feff}\n", "hello"] {
        assert_eq!(
            client.submission(&id, 0, input).unwrap_err().kind(),
            ErrorKind::InvalidArgument
        );
    }
    let event = decode_turn_event(complete(2, "x").to_string().as_str()).unwrap();
    let error = script.run(client.submit(&event, &RequestOptions::default())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(script.requests().len(), 0);
}

#[test]
fn only_a_last_event_ends_a_turn() {
    let failed = snapshot(3, "error", "x");
    for last in [complete(3, "x"), failed, diagnostic("SERVER_TIMEOUT")] {
        assert_eq!(kind_after(lines(&[streaming(2, ""), last.clone()])), None);
        assert_eq!(kind_after([bytes(&last.to_string())]), None, "without its line end");
        assert_eq!(kind_after([bytes(&format!("{last}\n")), Step::Break]), None);
        assert_eq!(kind_after([bytes(&format!("{last}\n{{\"half"))]), None);
    }
    let interrupted = Some(ErrorKind::StreamInterrupted);
    for events in [
        vec![],
        vec![streaming(2, "x")],
        vec![snapshot(2, "idle", "x")],
        vec![complete(2, "x"), streaming(3, "more")],
    ] {
        assert_eq!(kind_after(lines(&events)), interrupted);
    }
    assert_eq!(kind_after([bytes("{\"half")]), Some(ErrorKind::FrameTruncated));
    assert_eq!(kind_after(lines(&[complete(3, "x"), streaming(2, "stale")])), None);
}

#[test]
fn a_damaged_line_is_told_in_its_place() {
    let text = format!("{}\nnope\n{}\n", streaming(2, ""), complete(3, "x"));
    let script = Script::new([Reply::lines([bytes(&text)])]);
    let (seen, error) = play(&script, Timeouts::default());
    assert!(error.is_none());
    let sound: Vec<_> = seen.iter().map(|line| line.event.is_ok()).collect();
    assert_eq!(sound, [true, false, true]);
    assert_eq!((seen[1].number, seen[1].position), (2, text.find("nope").unwrap() as u64));
}

#[test]
fn a_line_beyond_the_limit_ends_the_stream_behind_those_before() {
    let (first, limit) = (format!("{}\n", streaming(2, "")), 1000);
    let script = Script::new([Reply::lines([bytes(&format!("{first}{}", "x".repeat(limit + 1)))])]);
    let client =
        client(&script).with_limits(Limits { max_frame_bytes: limit, ..Limits::default() });
    let event = client.submission(session(&script).cursor().session_id(), 0, "hi").unwrap();
    script.run(async {
        let mut stream = client.submit(&event, &RequestOptions::default()).await.unwrap();
        assert!(stream.next().await.unwrap().unwrap().event.is_ok());
        let error = stream.next().await.unwrap().unwrap_err();
        assert_eq!((error.kind(), error.line()), (ErrorKind::FrameTooLarge, Some(2)));
    });
    assert_eq!(script.cancelled(), 1);
}

#[test]
fn silence_ends_the_stream_and_comes_sooner_behind_the_last_event() {
    let stalled =
        |event| Script::new([Reply::lines(lines(&[event]).into_iter().chain([Step::Hang]))]);
    let script = stalled(streaming(2, "x"));
    let timeouts = Timeouts { idle: Some(40 * SECOND), ..Timeouts::default() };
    let (seen, error) = play(&script, timeouts);
    assert_eq!((seen.len(), error.unwrap().kind()), (1, ErrorKind::IdleTimeout));
    assert_eq!((script.now(), script.cancelled()), (40 * SECOND, 1));

    let script = stalled(complete(2, "x"));
    let (seen, error) = play(&script, timeouts);
    assert_eq!((seen.len(), error.is_none()), (1, true));
    assert_eq!((script.now(), script.cancelled()), (15 * SECOND, 1));
}

#[test]
fn the_end_of_a_turn_waits_for_the_end_of_the_response() {
    let clean_up = Step::Wait(Duration::from_secs(4));
    let script = Script::new([Reply::lines([bytes(&format!("{}\n", complete(2, "x"))), clean_up])]);
    assert!(play(&script, Timeouts::default()).1.is_none());
    assert_eq!((script.now(), script.cancelled()), (4 * SECOND, 0));
}
