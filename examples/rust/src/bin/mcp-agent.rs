//! Asks a model of any vendor that speaks OpenAI's API, with three real MCP servers:
//!
//! ```sh
//! OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none MODEL=qwen3 \
//!   cargo run -p toolsift-examples --bin mcp-agent -- "Remember that Ada likes engines."
//! ```
//!
//! For an address with `https`, add `--features rig/rustls`.

use std::env;
use std::error::Error;

use rig::providers::openai::OpenAI;
use tokio::process::Command;
use toolsift_examples::mcp_agent::{Server, ask};

/// A server of npm; the last argument is the folder that the one for files may use.
fn server(name: &'static str, arguments: &[&str]) -> Server {
    let mut command = Command::new("npx");
    command.arg("-y").arg(format!("@modelcontextprotocol/server-{name}")).args(arguments);
    (name, command)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let question = env::args().nth(1).unwrap_or_else(|| "What can you do?".to_owned());
    let model = OpenAI::from_env()?.chat(env::var("MODEL").unwrap_or_else(|_| "gpt-5.4".to_owned()));
    let servers = vec![server("everything", &["stdio"]), server("filesystem", &["."]), server("memory", &[])];
    println!("{}", ask(model, servers, &question).await?);
    Ok(())
}
