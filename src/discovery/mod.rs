//! Decides what the model may do: which discovery tools it gets, and the result of each of its calls.
//!
//! - A [`SurfaceTool`] is a discovery tool: its definition for the model ([`definitions`]), and the [`Action`] of a
//!   call to it.
//! - [`call()`] decides any call of the model from its [`Context`]: a discovery tool answers, a real tool is handed to
//!   the host, and everything else is refused with advice on the next step ([`next_step`]). The decision is a value of
//!   typed facts, from which the texts of an [`Outcome`] are written.
//! - The actions: [`find`] searches, [`add`] loads by name, [`browse`] lists, [`bridge`] describes and calls,
//!   [`read_on`] reads on in a long answer that was cut, [`skill`] loads skills and reads their files.
//! - [`Replay`] reconstructs the loaded tools of a session from a conversation. [`history`] reads the calls in it in
//!   the format of each vendor; [`refusal`] recognises our refusals in it.
//!
//! | question | files |
//! |---|---|
//! | Which tools does a search load? | `find/load_policy`; `find/intent` finds which effects the query asks for |
//! | Which skill does a search load? | `find/kinds`, `skill` |
//! | Which tools are evicted if a session has too many? | `session/bounds` |
//! | Which tools are loaded before the model is asked? | `find/ahead` |
//! | What is the answer to a search? | `find/ranked`, `find/look_ups`; in published systems `find/published` |
//! | What happens on a call of a tool that is not loaded? | `call`, `next_step` |
//! | What does the model read of a real tool's answer? | `answer_text`, `read_on` |
//! | Which discovery tools does the model see? | `definitions`, `surface` |

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

pub use answer_text::{AnswerImage, AnswerPart, AnswerText};
pub use call::{call, forwarded, searched_query};
pub use context::{Context, Turn, Visible, reads_skills};
pub use find::prefetch;
pub use history::MessageFormat;
pub use outcome::{Answered, Outcome, Refusal, SkillFile};
pub use read_on::{cut, cut_skill};
pub use replay::Replay;
pub use surface::{Action, Budget, DiscoverySettings, OutOfScope, Reveal, SurfaceTool, UnrevealedCall};
