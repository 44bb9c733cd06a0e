//! The routes, called as a client calls them.

mod agents;
mod agentskit_checks;
mod agentskit_components;
mod agentskit_decisions;
mod agentskit_site;
mod agentskit_turns;
mod bad_requests;
mod current;
mod decisions;
mod files;
mod foreign_pages;
mod joining;
mod site;
mod turns;
