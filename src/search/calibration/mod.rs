//! Says how sure a result is: what chance would find, and how likely each hit is the tool that is meant.

pub(super) mod confidence;
pub(super) mod likelihood;
mod words;
