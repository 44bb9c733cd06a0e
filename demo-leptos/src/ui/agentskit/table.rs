//! Rows of cells under columns.

use crate::model::agentskit::props::{Column, Table, is_short};
use leptos::prelude::*;
use serde_json::{Map, Value};

/// A table; where it is wider than the page it is scrolled in its own box, by keyboard too.
#[component]
pub(super) fn TableView(
    /// What is shown.
    props: Table,
) -> impl IntoView {
    let numeric: Vec<_> = props.columns.iter().map(|column| props.is_numeric(column)).collect();
    let columns: Vec<_> = props.columns.iter().zip(numeric).collect();
    let heads = columns.iter().map(|(column, is_numeric)| {
        view! { <th scope="col" class:number=*is_numeric>{column.label.clone()}</th> }
    });
    let heads = heads.collect_view();
    let rows = props.rows.iter().map(|row| view! { <tr>{cells(row, &columns)}</tr> });
    view! {
        <div class="table-box" role="region" aria-label=props.caption.clone() tabindex="0">
            <table>
                <caption>{props.caption.clone()}</caption>
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

fn cells(row: &Map<String, Value>, columns: &[(&Column, bool)]) -> Vec<impl IntoView + use<>> {
    let cell = |(column, is_numeric): &(&Column, bool)| {
        let text = Table::cell(row, column);
        let is_short = is_short(&text);
        view! { <td class:number=*is_numeric class:short=is_short>{text}</td> }
    };
    columns.iter().map(cell).collect()
}
