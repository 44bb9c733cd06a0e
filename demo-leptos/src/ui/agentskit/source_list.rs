//! Where something is written.

use crate::model::agentskit::props::{Source, SourceList};
use leptos::prelude::*;

/// A list of sources; those with an address are links, which open beside the chat.
#[component]
pub(super) fn SourceListView(
    /// What is shown.
    props: SourceList,
) -> impl IntoView {
    let SourceList { label, sources } = props;
    let sources = sources.into_iter().map(|source| view! { <SourceItem source /> });
    view! {
        <section class="sources" aria-label=label.clone()>
            <h4>{label.clone()}</h4>
            <ol role="list">{sources.collect_view()}</ol>
        </section>
    }
}

#[component]
fn SourceItem(source: Source) -> impl IntoView {
    let title = match source.url {
        Some(url) => view! {
            <a href=url.as_str().to_owned() target="_blank" rel="noopener noreferrer">
                {source.title}
                <span class="unseen">" (opens in a new tab)"</span>
            </a>
        }
        .into_any(),
        None => view! { <span class="source-title">{source.title}</span> }.into_any(),
    };
    view! {
        <li>
            {title}
            {source.snippet.map(|text| view! { <p>{text}</p> })}
        </li>
    }
}
