//! A person at the page, and a stand-in for the server behind it.

use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{HtmlElement, HtmlInputElement};

/// How often the page is looked at before a test gives up, and the milliseconds in between.
const LOOKS: (u32, u32) = (500, 10);

const TURN: [&str; 2] = [
    r#"{"type":"session","sessionId":"s"}"#,
    r#"{"type":"approval:pending","id":"d-1","tool":"issue_refund","args":{},"scope":{"tenant":"t","environment":"e","agent":"a"},"reason":"r","requestedAt":"2026-01-01T00:00:00Z"}"#,
];

const DONE: &str = r#"{"type":"done","text":"Refunded."}"#;

#[wasm_bindgen(inline_js = r#"
let asked = [];
// A stream that goes on: what comes after the decision is in the decision's own response.
function open(text) {
    const bytes = new TextEncoder().encode(text);
    return new ReadableStream({ start: (controller) => controller.enqueue(bytes) });
}
export function answer(turn, end) {
    asked = [];
    globalThis.fetch = async (url) => {
        asked.push(new URL(url).pathname);
        const isTurn = String(url).endsWith('/stream');
        const type = isTurn ? 'text/event-stream' : 'application/json';
        return new Response(isTurn ? open(turn) : end, { headers: { 'content-type': type } });
    };
}
export function asked_for() { return asked.join(' '); }
export function submit(form) { form.requestSubmit(); }
export function type_text(field, text) {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
}
"#)]
extern "C" {
    fn answer(turn: &str, end: &str);
    fn asked_for() -> String;
    fn submit(form: &HtmlElement);
    fn type_text(field: &HtmlInputElement, text: &str);
}

/// A part of the page for one front end.
pub(crate) struct Page(HtmlElement);

impl Page {
    pub(crate) fn new() -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let root: HtmlElement = document.create_element("main").unwrap().unchecked_into();
        document.body().unwrap().append_child(&root).unwrap();
        Self(root)
    }

    /// Where the front end is to be.
    pub(crate) fn root(&self) -> HtmlElement {
        self.0.clone()
    }

    /// Writes a message, approves the call and reads the answer.
    pub(crate) async fn approve_a_refund(&self) {
        let end = format!(
            r#"{{"text":"Refunded.","sessionId":"s","events":[{},{DONE}]}}"#,
            TURN.join(",")
        );
        answer(&TURN.map(|event| format!("data: {event}\n\n")).concat(), &end);
        let field: HtmlInputElement = self.find("input").await.unchecked_into();
        type_text(&field, "refund A-1001");
        submit(&self.find("form").await);
        self.find("button").await.click();
        self.until(|| self.text().contains("Refunded.")).await;
        assert!(self.text().contains("refund A-1001"), "{}", self.text());
        assert_eq!(field.value(), "");
        let expected = "/agents/customer-service/messages/stream /approvals/d-1/approve";
        assert_eq!(asked_for(), expected);
    }

    fn text(&self) -> String {
        self.0.inner_text()
    }

    async fn find(&self, selector: &str) -> HtmlElement {
        let found = || self.0.query_selector(selector).unwrap();
        self.until(|| found().is_some()).await;
        found().unwrap().unchecked_into()
    }

    async fn until(&self, is_so: impl Fn() -> bool) {
        let (times, pause) = LOOKS;
        for _ in 0..times {
            if is_so() {
                return;
            }
            TimeoutFuture::new(pause).await;
        }
        panic!("it never came to that; the page says: {}", self.text());
    }
}
