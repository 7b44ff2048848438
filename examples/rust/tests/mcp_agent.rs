//! The agent of the example with the three real MCP servers that this repository installs: the model, which follows a script, finds
//! tools of two of them among all, and calls them.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::Path;

use rig::test_utils::{MockCompletionModel, MockTurn};
use serde_json::json;
use tokio::process::Command;
use toolsift_examples::mcp_agent::{Server, ask};

fn server(name: &'static str, argument: &str) -> Server {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join(format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js"));
    assert!(program.exists(), "npm ci installs {}", program.display());
    let mut command = Command::new("node");
    command.arg(program).arg(argument).stderr(std::process::Stdio::null());
    command.env("MEMORY_FILE_PATH", Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory.jsonl"));
    (name, command)
}

#[tokio::test]
async fn it_uses_tools_of_real_servers() {
    let files = env!("CARGO_TARGET_TMPDIR");
    let servers = vec![server("everything", "stdio"), server("filesystem", files), server("memory", "")];
    let entity = json!({ "name": "Ada", "entityType": "person", "observations": ["likes engines"] });
    let model = MockCompletionModel::from_turns([
        MockTurn::tool_call("1", "search_tools", json!({ "query": "remember a fact about a person" })),
        MockTurn::tool_call("2", "add_tool", json!({ "tool_names": ["create_entities", "echo"] })),
        MockTurn::tool_call("3", "create_entities", json!({ "entities": [entity] })),
        MockTurn::tool_call("4", "echo", json!({ "message": "Ada likes engines" })),
        MockTurn::text("I have noted it."),
    ]);
    let answer = ask(model.clone(), servers, "Remember that Ada likes engines.").await.unwrap();
    assert_eq!(answer, "I have noted it.");
    let requests = model.requests();
    assert_eq!(requests[0].tools.len(), 3, "search_tools, add_tool and show_all_tools");
    let last = format!("{:?}", requests[4]);
    assert!(last.contains("likes engines") && last.contains("Echo: Ada likes engines"), "{last}");
}
