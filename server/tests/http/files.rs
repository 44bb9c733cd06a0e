//! The files of a user interface.

use crate::site::Site;
use std::fs;
use turnwire_server::Config;

#[tokio::test]
async fn files_are_served_where_no_route_is() {
    let folder = tempfile::tempdir().unwrap();
    let ui = folder.path().join("ui");
    fs::create_dir(&ui).unwrap();
    for (name, text) in [
        ("ui/index.html", "<p>chat"),
        ("ui/app.wasm", "\0asm"),
        ("ui/agents", "shadowed"),
        ("secret", "secret"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let site = Site::with(Config { ui: Some(ui), ..Config::default() }).await;
    let page = site.get("/?session=s-1").await;
    assert_eq!((page.status, page.text.as_str()), (200, "<p>chat"));
    assert_eq!(page.header("content-type"), "text/html");
    assert_eq!(page.header("cache-control"), "no-cache");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(site.get("/app.wasm").await.header("content-type"), "application/wasm");
    assert_eq!(site.get("/agents").await.header("content-type"), "application/json");
    assert_eq!(site.get("/none.js").await.refusal(), (404, "not found".into()));
    for path in ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "//secret"] {
        let reply = site.get(path).await;
        assert!(reply.status >= 400, "{path}");
        assert_ne!(reply.text, "secret", "{path}");
    }
    assert_eq!(site.post("/index.html", "x").await.refusal(), (404, "not found".into()));
}
