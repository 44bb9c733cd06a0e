//! Mounts the chatbox into the page.

#[cfg(target_arch = "wasm32")]
fn main() {
    turnwire_demo::ui::browser::remove_boot_notice();
    leptos::mount::mount_to_body(turnwire_demo::ui::App);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!(
        "The chatbox runs in a browser: build it with `npm run build`, see it with `npm start`."
    );
}
