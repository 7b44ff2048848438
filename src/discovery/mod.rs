//! Decides what the model may do: which discovery tools it gets, and what each of its calls comes to.
//!
//! - A [`SurfaceTool`] is a discovery tool: what the model is told of it ([`definitions`]), and the [`Action`] of a call to it.
//! - [`call()`] decides any call of the model by what is known ([`Context`]): a discovery tool answers, a real tool is handed
//!   to the host, and everything else is refused with the next step ([`next_step`]). A call comes to typed facts, from which
//!   the texts of an [`Outcome`] are written.
//! - The actions: [`find`] searches, [`add`] loads by name, [`browse`] lists, [`bridge`] describes and calls, [`read_on`]
//!   reads on in a long answer that was cut, [`skill`] loads skills and reads files of them.
//! - [`Replay`] rebuilds what a session has revealed from a conversation, whose calls [`history`] reads in the format of each vendor;
//!   [`refusal`] recognises our refusals in it.
//!
//! | question | files |
//! |---|---|
//! | What does a search load? | `find/load_policy`; `find/intent` says what the query asks a tool to do |
//! | What is loaded before the model is asked? | `find/ahead` |
//! | What does the answer to a search say? | `find/ranked`, `find/look_ups`; of the published systems `find/published` |
//! | What comes of a call of a tool that is not loaded? | `call`, `next_step` |
//! | What does the model read of a real tool's answer? | `answer_text`, `read_on` |
//! | What is the model told of the discovery tools? | `definitions`, `surface` |

mod add;
mod answer_text;
mod arguments;
mod bridge;
mod browse;
mod call;
mod context;
pub(crate) mod definitions;
mod described;
mod find;
mod history;
mod next_step;
mod outcome;
mod read_on;
mod refusal;
mod replay;
mod skill;
mod surface;

pub use answer_text::{AnswerImage, AnswerText};
pub use call::{call, forwarded, searched_query};
pub use context::{Context, Turn, Visible, reads_skills};
pub use find::prefetch;
pub use history::MessageFormat;
pub use outcome::{Outcome, Refusal, SkillFile};
pub use read_on::{cut, cut_skill};
pub use replay::Replay;
pub use surface::{Action, Budget, DiscoverySettings, OutOfScope, Reveal, SurfaceTool, UnrevealedCall};
