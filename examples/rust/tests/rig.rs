//! `toolsift_rig`, with agents of rig and a model that follows a script.
//!
//! 1. A request has the tools that the conversation has loaded, and the preamble says what can be searched for. 2. A call of a tool
//!    that is not loaded yet is answered by the session, and the run goes on. 3. A tool of rig gets its context and its failure
//!    reaches the model; tools that nothing runs are told so. 4. What the host adds itself is always sent. 5. Nothing of a
//!    conversation is kept when its agent goes. 6. What the user's first message clearly finds is loaded before the model is asked.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rig::completion::CompletionRequest;
use rig::message::ToolName;
use rig::test_utils::{MockCompletionModel, MockTurn};
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput, ToolSet};
use rig::{Agent, AgentBuilder};
use serde_json::{Value, json};
use std::sync::Arc;
use toolsift::{Activation, RegisterOptions, Settings, ToolDefinition, ToolSift};
use toolsift_rig::SiftTools;

fn tool(name: &str, description: &str, run: fn(Value) -> Result<ToolOutput, ToolExecutionError>) -> DynamicTool {
    let parameters = json!({ "type": "object", "properties": { "place": { "type": "string" } } });
    DynamicTool::new(ToolName::new(name).unwrap(), description, parameters, move |arguments| {
        Box::pin(async move { run(arguments) })
    })
}

fn forecast() -> ToolSet {
    ToolSet::from_dynamic_tools(vec![
        tool("get_forecast", "Tomorrow's weather at a place.", |arguments| match arguments["place"].as_str() {
            Some(place) => Ok(ToolOutput::text(format!("Rain in {place}."))),
            None => Err(ToolExecutionError::other("place is missing")),
        }),
        tool("send_mail", "Sends a message to somebody.", |_| Ok(ToolOutput::text("sent"))),
    ])
}

/// An agent in a conversation of its own.
fn agent(model: &MockCompletionModel, own: ToolSet) -> (Agent, ToolSift) {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let tools = SiftTools::new(&sift, own).unwrap();
    let chat = tools.conversation(sift.session("chat", None).unwrap(), "Be brief.");
    let builder = AgentBuilder::new(model.clone()).tool_server_handle(chat.handle()).add_hook(chat);
    (builder.default_max_turns(10).build(), sift)
}

fn script(calls: &[(&str, Value)]) -> MockCompletionModel {
    let call = |(at, (name, arguments)): (usize, &(&str, Value))| {
        MockTurn::tool_call(format!("call-{at}"), *name, arguments.clone())
    };
    MockCompletionModel::from_turns(calls.iter().enumerate().map(call).chain([MockTurn::text("done")]))
}

fn names(request: &CompletionRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[tokio::test]
async fn a_request_has_what_the_conversation_has_loaded() {
    let model = script(&[
        ("search_tools", json!({ "query": "weather tomorrow" })),
        ("get_forecast", json!({ "place": "Oslo" })),
    ]);
    let (agent, _) = agent(&model, forecast());
    assert_eq!(agent.prompt("Is it going to rain?").await.unwrap().output(), "done");
    let requests = model.requests();
    let discovery = ["search_tools", "add_tool", "show_all_tools"];
    assert_eq!(names(&requests[0]), discovery);
    assert_eq!(names(&requests[1]), [&discovery[..], &["get_forecast"]].concat());
    assert_eq!(names(&requests[2]), names(&requests[1]));
    assert!(requests[1].tools[3].parameters["properties"]["place"].is_object());
    let sent = format!("{:?}", requests[2]);
    assert!(sent.contains("Be brief.") && sent.contains("search_tools") && sent.contains("Rain in Oslo."), "{sent}");
}

#[tokio::test]
async fn the_first_message_is_searched_ahead() {
    let model = script(&[("get_forecast", json!({ "place": "Oslo" }))]);
    let (agent, _) = agent(&model, forecast());
    assert_eq!(agent.prompt("Get me tomorrow's weather forecast at a place.").await.unwrap().output(), "done");
    assert_eq!(names(&model.requests()[0])[3..], ["get_forecast"]);
}

#[tokio::test]
async fn an_early_call_is_answered_and_the_run_goes_on() {
    let model = script(&[
        ("get_forecast", json!({ "place": "Oslo" })),
        ("no_such_tool", json!({})),
        ("add_tool", json!({ "tool_names": ["get_forecast"] })),
        ("get_forecast", json!({})),
    ]);
    let (agent, _) = agent(&model, forecast());
    assert_eq!(agent.prompt("Is it going to rain?").await.unwrap().output(), "done");
    let requests = model.requests();
    assert_eq!(requests.len(), 5);
    let last = format!("{:?}", requests[4]);
    assert!(last.contains("no_such_tool") && last.contains("place is missing"), "{last}");
}

#[tokio::test]
async fn tools_of_others_are_run_by_the_host_and_what_it_adds_is_sent() {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let lights = ToolDefinition::new("switch_lights").description("Switches the lights of a room.");
    sift.register_one(&lights, &RegisterOptions::default().server("home")).unwrap();
    let calls = [("search_tools", json!({ "query": "switch the lights" })), ("switch_lights", json!({}))];
    for (runs, said) in [(true, "dark now"), (false, "nothing runs switch_lights")] {
        let mut tools = SiftTools::new(&sift, ToolSet::default()).unwrap();
        if runs {
            tools = tools.run(|_| async { Ok(ToolOutput::text("dark now")) });
        }
        let chat = tools.conversation(sift.session(said, None).unwrap(), "");
        chat.handle().add_dynamic_tool(tool("get_time", "What time it is.", |_| Ok(ToolOutput::text("noon"))));
        let model = script(&calls);
        let agent = AgentBuilder::new(model.clone()).tool_server_handle(chat.handle()).add_hook(chat);
        agent.default_max_turns(10).build().prompt("It is too bright.").await.unwrap();
        let requests = model.requests();
        assert!(requests.iter().all(|request| names(request).contains(&"get_time")));
        assert!(format!("{:?}", requests[2]).contains(said));
    }
}

#[tokio::test]
async fn nothing_is_kept_of_a_conversation_that_ended() {
    let held = Arc::new(());
    let kept = Arc::downgrade(&held);
    let own = ToolSet::from_dynamic_tools(vec![DynamicTool::new(
        ToolName::new("hold").unwrap(),
        "Holds something.",
        json!({ "type": "object" }),
        move |_| {
            let _ = &held;
            Box::pin(async { Ok(ToolOutput::text("held")) })
        },
    )]);
    let model = script(&[("add_tool", json!({ "tool_names": ["hold"] })), ("hold", json!({}))]);
    let (agent, sift) = agent(&model, own);
    agent.prompt("Hold it.").await.unwrap();
    drop(agent);
    // Its bus ends in a task of its own.
    tokio::task::yield_now().await;
    assert!(kept.upgrade().is_none());
    assert_eq!(sift.registered().len(), 1);
}
