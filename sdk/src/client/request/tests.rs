use super::*;

fn joined(segment: &str) -> Result<String> {
    BaseUrl::parse("http://h")?.join(&[segment])
}

#[test]
fn base_addresses_lose_their_trailing_slashes() {
    for (given, right) in [
        ("http://127.0.0.1:8787", "http://127.0.0.1:8787"),
        ("HTTPS://h/api//", "HTTPS://h/api"),
        ("/api/", "/api"),
        ("/", ""),
        ("", ""),
    ] {
        assert_eq!(BaseUrl::parse(given).unwrap().0, right, "{given}");
    }
}

#[test]
fn the_address_of_a_route_is_sent_as_it_is() {
    for given in ["http://h/turns/?tenant=a", "/", "/turns?x=/?"] {
        assert_eq!(BaseUrl::of_route(given).unwrap().join(&[]).unwrap(), given);
    }
    for given in ["", "turns", "//h/turns", "ftp://h", "/turns#top", "/a\\b", "http://h /x"] {
        let error = BaseUrl::of_route(given).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{given}");
    }
}

#[test]
fn base_addresses_that_no_path_fits_are_refused() {
    for given in [
        "ftp://h",
        "h:8787",
        "api",
        "http://",
        "https:///x",
        "//h/api",
        "http://h?x=1",
        "/api#top",
        "http://h /x",
        "http://h\n",
        "file:///etc",
        "/a\\b",
    ] {
        let error = BaseUrl::parse(given).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{given}");
    }
}

#[test]
fn segments_are_encoded_as_encode_uri_component_does() {
    for (given, right) in [
        ("customer-service", "customer-service"),
        ("a/b ü?#%", "a%2Fb%20%C3%BC%3F%23%25"),
        ("-_.!~*'()", "-_.!~*'()"),
        ("\"$&+,:;=@[]^`{|}\\<>", "%22%24%26%2B%2C%3A%3B%3D%40%5B%5D%5E%60%7B%7C%7D%5C%3C%3E"),
        ("那🌍\u{7f}\n", "%E9%82%A3%F0%9F%8C%8D%7F%0A"),
        ("%2e%2e", "%252e%252e"),
        ("...", "..."),
    ] {
        assert_eq!(joined(given).unwrap(), format!("http://h/{right}"));
    }
}

#[test]
fn segments_that_walk_up_the_path_are_refused() {
    for given in ["", ".", ".."] {
        assert_eq!(joined(given).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn headers_replace_each_other_whatever_the_case() {
    let mut headers = HeaderList::default();
    headers.set("content-type", "application/json").unwrap();
    headers.set("Content-Type", "text/plain").unwrap();
    headers.set("X-A", "1").unwrap();
    headers.set("x-a", "2").unwrap();
    assert_eq!(
        headers.0,
        [("Content-Type".into(), "text/plain".into()), ("x-a".into(), "2".into())]
    );
}

#[test]
fn headers_that_would_split_a_request_are_refused() {
    for (name, value) in [
        ("", "x"),
        ("x y", "x"),
        ("x:", "x"),
        ("x\r\n", "x"),
        ("ü", "x"),
        ("x", "a\r\nb: c"),
        ("x", "a\nb"),
        ("x", "a\0"),
        ("x", "ü"),
    ] {
        let error = HeaderList::default().set(name, value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{name:?} {value:?}");
    }
    HeaderList::default().set("authorization", "Basic a\tb==").unwrap();
}

#[test]
fn extra_body_fields_win_and_keep_their_place() {
    let mut options = RequestOptions { session_id: Some("s".into()), ..Default::default() };
    options.body.insert("sessionId".into(), "t".into());
    options.body.insert("email".into(), "a@b".into());
    let body = message_body("hi", &options, 100).unwrap();
    assert_eq!(to_text(&body), r#"{"message":"hi","sessionId":"t","email":"a@b"}"#);
    let body = answer_body("", &options, 100).unwrap();
    assert_eq!(to_text(&body), r#"{"answer":"","sessionId":"t","email":"a@b"}"#);
}

#[test]
fn messages_are_measured_as_they_are_sent() {
    let mut options = RequestOptions::default();
    assert!(message_body("", &options, 9).is_err());
    assert!(message_body("ééééé", &options, 9).is_err());
    assert!(message_body("éééé1", &options, 9).is_ok());
    assert!(answer_body("0123456789", &options, 9).is_err());
    options.body.insert("message".into(), "0123456789".into());
    assert!(message_body("short", &options, 9).is_err());
    options.body.insert("message".into(), 5.into());
    assert!(message_body("", &options, 9).is_ok());
}

#[test]
fn a_request_does_not_show_what_it_carries() {
    let request = Draft {
        method: Method::Post,
        path: &["agents"],
        body: Some(r#"{"message":"secret"}"#.into()),
    }
    .finish(
        "application/json",
        &BaseUrl::parse("/api").unwrap(),
        &[&[("authorization".into(), "secret".into())]],
    );
    let shown = format!("{:?}", request.unwrap());
    assert!(shown.contains("authorization") && shown.contains("/api/agents"));
    assert!(!shown.contains("secret"), "{shown}");
}
