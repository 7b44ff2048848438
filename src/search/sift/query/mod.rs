//! Reads a request: its words and what they mean among the tools, its clauses, and the verbs that it asks for.

pub(super) mod agreement;
pub(super) mod clauses;
pub(super) mod demands;
pub(super) mod meanings;
pub(super) mod named;
pub(super) mod similar;
pub(super) mod terms;
pub(super) mod wish;
