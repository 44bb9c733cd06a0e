//! The routes, called as a client calls them.

mod agents;
mod bad_requests;
mod current;
mod decisions;
mod files;
mod foreign_pages;
mod joining;
mod site;
mod turns;
