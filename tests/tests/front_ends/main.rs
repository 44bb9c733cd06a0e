//! The Leptos and the Yew page of the docs, in a browser: a refund from message to answer.
//!
//! `wasm-pack test --headless --chrome tests -- --test front_ends`

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test_configure;

mod page;

wasm_bindgen_test_configure!(run_in_browser);

#[allow(dead_code, reason = "its `main` takes the whole page, where the tests report")]
#[allow(unreachable_pub, reason = "the macro of the framework has it so")]
mod leptos_chat {
    include!("../../../sdk/docs/leptos_chat.rs");

    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn a_refund_is_approved_in_leptos() {
        let page = crate::page::Page::new();
        leptos::mount::mount_to(page.root(), ChatBox).forget();
        page.approve_a_refund().await;
    }
}

#[allow(dead_code, reason = "its `main` takes the whole page, where the tests report")]
#[allow(unreachable_pub, reason = "the macro of the framework has it so")]
mod yew_chat {
    include!("../../../sdk/docs/yew_chat.rs");

    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn a_refund_is_approved_in_yew() {
        let page = crate::page::Page::new();
        yew::Renderer::<ChatBox>::with_root(page.root().into()).render();
        page.approve_a_refund().await;
    }
}
