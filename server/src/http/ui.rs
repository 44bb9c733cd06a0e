//! The files of a user interface, served beside the API.

use super::error::Failure;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use std::path::Path;
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// Serves the files of `folder` where no route matches; routes always win.
pub(super) fn with_files(api: Router, folder: Option<&Path>) -> Router {
    let Some(folder) = folder else {
        return api.fallback(not_found);
    };
    let files = ServeDir::new(folder);
    api.fallback(move |request: Request| {
        let files = files.clone();
        async move { file(files, request).await }
    })
}

async fn not_found() -> Failure {
    Failure::NotFound
}

async fn file(files: ServeDir, request: Request) -> Result<Response, Failure> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Failure::NotFound);
    }
    // A file that cannot be read is answered with a status, so this error never happens.
    let response = files.oneshot(request).await.map_err(|_| Failure::Internal)?;
    if response.status() == StatusCode::NOT_FOUND {
        return Err(Failure::NotFound);
    }
    Ok(with_headers(response.map(Body::new).into_response()))
}

/// File names do not tell their version, so browsers have to ask whether a file has changed.
fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
