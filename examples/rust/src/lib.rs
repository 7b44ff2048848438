//! Programs that use the crate with rmcp, rig and axum.

pub mod mcp_agent;
pub mod service;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct Page;
