//! Serves one catalog to many conversations: `cargo run -p toolsift-examples --bin service`, then
//!
//! ```sh
//! curl -X POST localhost:8080/red/chat-42/call -H 'content-type: application/json' \
//!   -d '{"name": "search_tools", "arguments": {"query": "open an issue"}}'
//! ```

use std::error::Error;

use serde_json::json;
use tokio::net::TcpListener;
use toolsift::{Activation, RegisterOptions, Settings, ToolSift};
use toolsift_examples::service::service;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    for (server, tool, description) in [
        ("red-tools", "create_issue", "Opens an issue in the tracker."),
        ("blue-tools", "send_mail", "Sends a message to a customer."),
        ("shared", "get_forecast", "Tomorrow's weather at a place."),
    ] {
        let tools = json!([{ "name": tool, "description": description }]);
        sift.register(&tools, &RegisterOptions::default().server(server))?;
    }
    axum::serve(TcpListener::bind("127.0.0.1:8080").await?, service(sift)).await?;
    Ok(())
}
