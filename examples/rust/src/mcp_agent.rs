//! An agent of rig with MCP servers: their tools are found and loaded when a request needs them.

use std::error::Error;

use rig::AgentBuilder;
use rig::DynModel;
use rig::operation::Completion;
use rig::tool::{ToolExecutionError, ToolOutput, ToolSet};
use rmcp::ServiceExt;
use rmcp::transport::TokioChildProcess;
use tokio::process::Command;
use toolsift::{Activation, Settings, ToolSift};
use toolsift_rig::SiftTools;
use toolsift_rmcp::Servers;

/// A server: its name, and the program that speaks MCP on its standard input and output.
pub type Server = (&'static str, Command);

/// Starts the servers, asks the model, and returns its answer.
///
/// # Errors
/// Those of the servers and of the model.
pub async fn ask(
    model: impl Into<DynModel<Completion>>,
    servers: Vec<Server>,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let connected = Servers::new(&sift);
    // A connection ends when it is dropped.
    let mut clients = Vec::new();
    for (name, command) in servers {
        let client = ().serve(TokioChildProcess::new(command)?).await?;
        connected.connect(name, client.peer()).await?;
        clients.push(client);
    }

    let tools = SiftTools::new(&sift, ToolSet::default())?.run(move |outcome| {
        let connected = connected.clone();
        async move {
            let reply = connected.answer(outcome).await;
            if reply.is_error { Err(ToolExecutionError::other(reply.text)) } else { Ok(ToolOutput::text(reply.text)) }
        }
    });
    let chat = tools.conversation(sift.session("chat-42", None)?, "You are a helpful assistant.");
    let agent = AgentBuilder::new(model).tool_server_handle(chat.handle()).add_hook(chat).default_max_turns(20).build();
    Ok(agent.prompt(question).await?.output())
}
