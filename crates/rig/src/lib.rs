//! Adds tool search to an agent of rig: each request has the tools that the conversation has loaded.
//!
//! ```no_run
//! # async fn run(model: rig::DynModel<rig::operation::Completion>, own: rig::tool::ToolSet) -> toolsift::Result<()> {
//! use rig::AgentBuilder;
//! use toolsift_rig::SiftTools;
//! use toolsift::{Settings, ToolSift};
//!
//! let sift = ToolSift::new(Settings::default());
//! let tools = SiftTools::new(&sift, own)?;
//!
//! // For each conversation:
//! let chat = tools.conversation(sift.session("chat-42", None)?, "You are a helpful assistant.");
//! let agent = AgentBuilder::new(model).tool_server_handle(chat.handle()).add_hook(chat).build();
//! # Ok(())
//! # }
//! ```

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use rig::agent::{AgentHook, CompletionCallAction, CompletionCallEvent, HookContext, RequestPatch};
use rig::agent::{InvalidToolCallAction, InvalidToolCallContext, InvalidToolCallReason};
use rig::message::{Message, ToolName};
use rig::tool::server::{ToolServer, ToolServerHandle};
use rig::tool::{DynamicTool, ToolContext, ToolExecutionError, ToolOutput, ToolSet};
use serde::Deserialize;
use serde_json::{Value, json};
use toolsift::{Budget, Format, Outcome, RegisterOptions, Result, SessionHandle, ToolSift};

/// The result of a tool.
type Ran = std::result::Result<ToolOutput, ToolExecutionError>;
/// Runs the tools that are not rig's.
type Run = Arc<dyn Fn(Outcome) -> Pin<Box<dyn Future<Output = Ran> + Send>> + Send + Sync>;

/// The tools of a catalog, and the functions that run them. Make one for all conversations.
#[derive(Clone)]
pub struct SiftTools {
    own: Arc<ToolSet>,
    run: Option<Run>,
}

impl fmt::Debug for SiftTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiftTools").field("own", &self.own.len()).finish_non_exhaustive()
    }
}

impl SiftTools {
    /// Registers tools of rig. From now on they are found and loaded, and not sent with every request.
    ///
    /// # Errors
    /// The error of a tool that cannot be registered.
    pub fn new(sift: &ToolSift, own: ToolSet) -> Result<Self> {
        for definition in own.tool_definitions() {
            sift.register_one(&json!(definition), &RegisterOptions::default())?;
        }
        Ok(SiftTools { own: Arc::new(own), run: None })
    }

    /// Sets the function that runs the other tools of the catalog, such as those of MCP servers. Its argument is an
    /// [`Outcome::Dispatch`].
    #[must_use]
    pub fn run<F>(mut self, run: impl Fn(Outcome) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Ran> + Send + 'static,
    {
        self.run = Some(Arc::new(move |outcome| Box::pin(run(outcome))));
        self
    }

    /// Makes the hook and the tools for one conversation. Pass the preamble here and not to the agent: the text about
    /// the searchable tools is added after it.
    pub fn conversation(&self, session: SessionHandle, preamble: &str) -> Conversation {
        let calls = Arc::new(Calls { tools: self.clone(), session });
        Conversation { calls, preamble: preamble.into(), handle: ToolServer::new().run(), shown: Arc::default() }
    }
}

/// One conversation: the hook of its agent, and the tools that the agent sends.
#[derive(Clone)]
pub struct Conversation {
    calls: Arc<Calls>,
    preamble: Arc<str>,
    handle: ToolServerHandle,
    /// The definitions in `handle` that are of this session.
    shown: Arc<Mutex<HashMap<String, Definition>>>,
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("session", &self.calls.session.id()).finish_non_exhaustive()
    }
}

/// A definition as in a request.
#[derive(Clone, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Definition {
    name: ToolName,
    #[serde(default)]
    description: String,
    input_schema: Value,
}

impl Conversation {
    /// Returns the agent's tools. Tools that you add to it are always sent.
    pub fn handle(&self) -> ToolServerHandle {
        self.handle.clone()
    }

    /// Loads tools that clearly fit the user's message, before the first request of a session. Profiles of published
    /// systems do not do this.
    fn search_ahead(&self, event: &CompletionCallEvent<'_>) -> Result<()> {
        let session = &self.calls.session;
        let has_reply = event.history.iter().any(|message| matches!(message, Message::Assistant { .. }));
        let before = session.snapshot()?;
        if let Some(text) =
            event.prompt.rag_text().filter(|_| !has_reply && before.turn == 0 && before.profile == "sift")
        {
            session.prefetch(&text, Budget::AHEAD)?;
        }
        Ok(())
    }

    /// Sets the agent's tools to those of the next request, and returns its preamble.
    fn prepare(&self) -> Result<String> {
        let request = self.calls.session.assemble(Format::Mcp)?;
        let wanted: Vec<Definition> = request.tools.parse()?;
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let names: Vec<&str> = wanted.iter().map(|tool| tool.name.as_str()).collect();
        shown.retain(|name, _| {
            let stays = names.contains(&name.as_str());
            if !stays {
                self.handle.remove_tool(name);
            }
            stays
        });
        for definition in wanted {
            let name = definition.name.to_string();
            if shown.get(&name) != Some(&definition) {
                self.handle.add_dynamic_tool(self.tool(definition.clone()));
                shown.insert(name, definition);
            }
        }
        let parts = [&*self.preamble, &request.system_prompt];
        Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
    }

    fn tool(&self, definition: Definition) -> DynamicTool {
        let Definition { name, description, input_schema } = definition;
        let (calls, called) = (self.calls.clone(), name.to_string());
        DynamicTool::new_with_context(name, description, input_schema, move |context, arguments| {
            let (calls, called) = (calls.clone(), called.clone());
            Box::pin(async move { calls.call(&called, &arguments.to_string(), context).await })
        })
    }
}

impl AgentHook for Conversation {
    async fn on_completion_call(&self, _: &HookContext, event: CompletionCallEvent<'_>) -> CompletionCallAction {
        match self.search_ahead(&event).and_then(|()| self.prepare()) {
            Ok(preamble) if preamble.is_empty() => CompletionCallAction::continue_run(),
            Ok(preamble) => CompletionCallAction::patch(RequestPatch::new().preamble(preamble)),
            Err(error) => CompletionCallAction::stop(error.to_string()),
        }
    }

    /// Answers a call of a tool that the model was not sent: the session says what to do instead.
    async fn on_invalid_tool_call(
        &self,
        _: &HookContext,
        call: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        if !matches!(call.reason, InvalidToolCallReason::UnknownTool) {
            return None;
        }
        let arguments = call.args.as_deref().unwrap_or("{}");
        let text = match self.calls.call(&call.tool_name, arguments, &mut ToolContext::new()).await {
            Ok(output) => output.render(),
            Err(error) => error.message().to_owned(),
        };
        Some(InvalidToolCallAction::skip(text))
    }
}

/// Answers the calls of a conversation.
struct Calls {
    tools: SiftTools,
    session: SessionHandle,
}

impl Calls {
    async fn call(&self, name: &str, arguments: &str, context: &mut ToolContext) -> Ran {
        let outcome = self.session.call(name, arguments).map_err(|error| failed(error.to_string()))?;
        let SiftTools { own, run } = &self.tools;
        match (outcome, run) {
            (Outcome::Result(answer), _) if answer.is_error => Err(failed(answer.content)),
            (Outcome::Result(answer), _) => Ok(ToolOutput::text(answer.content)),
            (Outcome::Refused { error }, _) => Err(failed(error.message)),
            (Outcome::Dispatch { server: None, name, arguments, .. }, _) if own.contains(&name) => {
                own.execute(&name, arguments.get(), context).await.into_result()
            }
            (outcome, Some(run)) => run(outcome).await,
            (Outcome::Dispatch { model_name, .. }, None) => Err(failed(format!("nothing runs {model_name}"))),
        }
    }
}

fn failed(text: String) -> ToolExecutionError {
    ToolExecutionError::other(text)
}
