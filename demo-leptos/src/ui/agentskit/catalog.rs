//! The components that the page draws.

use super::approval_request::ApprovalRequestView;
use super::choice_list::ChoiceListView;
use super::progress::ProgressView;
use super::source_list::SourceListView;
use super::table::TableView;
use crate::model::agentskit::props::{ApprovalRequest, ChoiceList, Progress, SourceList, Table};
use leptos::prelude::*;
use turnwire::agentskit::{ComponentFrame, ComponentRegistry, Diagnostic};

/// The components by their keys; a copy is a handle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Catalog(StoredValue<ComponentRegistry<AnyView>, LocalStorage>);

impl Catalog {
    /// Those of AgentsKit's catalog that the page has a view of.
    pub(super) fn new() -> Self {
        Self(StoredValue::new_local(registry().expect("the keys are component keys")))
    }

    /// The catalog of the surrounding page.
    pub(super) fn expect() -> Self {
        expect_context()
    }

    /// Draws a component.
    pub(super) fn draw(self, frame: &ComponentFrame) -> Result<AnyView, Diagnostic> {
        self.0.with_value(|registry| registry.draw(frame))
    }
}

fn registry() -> turnwire::Result<ComponentRegistry<AnyView>> {
    ComponentRegistry::new()
        .with("source-list", |props: SourceList, _| view! { <SourceListView props /> }.into_any())?
        .with("table", |props: Table, _| view! { <TableView props /> }.into_any())?
        .with("progress", |props: Progress, _| view! { <ProgressView props /> }.into_any())?
        .with("choice-list", |props: ChoiceList, frame| {
            view! { <ChoiceListView props frame=frame.clone() /> }.into_any()
        })?
        .with("approval-request", |props: ApprovalRequest, frame| {
            view! { <ApprovalRequestView props frame=frame.clone() /> }.into_any()
        })
}
