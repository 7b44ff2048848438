//! Fuzz target: calls of a model with any name and any arguments, in a session with a scope, under every profile.

use std::cell::RefCell;

use toolsift::{Answered, Format, Outcome, RestoreOptions, Scope, ToolSift, Turn, Visible};

use super::input::Input;
use super::sound;
use crate::hostile_of::{self, SETTINGS, content_of, described, leak};

const SCOPES: [&[&str]; 3] = [&[], &["slack", "github"], &["linear"]];

/// A catalog under some settings, and what every scope leaves out: names with descriptions.
struct World {
    sift: ToolSift,
    outside: Vec<Vec<(String, String)>>,
}

thread_local! {
    static WORLDS: RefCell<Vec<Option<World>>> = RefCell::new(SETTINGS.iter().map(|_| None).collect());
}

fn is_within(scope: &[&str], name: &str) -> bool {
    scope.is_empty() || scope.iter().any(|server| name.contains(&format!("__{server}__")))
}

fn world(settings: &str) -> World {
    let sift = hostile_of::sift(settings);
    let outside = SCOPES.iter().map(|scope| described(&sift, |name| !is_within(scope, name))).collect();
    World { sift, outside }
}

/// One line is the name of the called tool, the next one its arguments, and so on.
pub fn calls(data: &[u8]) {
    let mut input = Input::new(data);
    let (at, which, hides) = (input.below(SETTINGS.len()), input.below(SCOPES.len()), input.below(4) == 3);
    let text = input.rest();
    let lines: Vec<&str> = text.split('\n').collect();
    WORLDS.with_borrow_mut(|worlds| {
        let world = worlds[at].get_or_insert_with(|| world(SETTINGS[at]));
        let answers = play(world, (at, which, hides), &lines);
        assert_eq!(play(world, (at, which, hides), &lines), answers, "the same calls have the same answers");
    });
}

fn play(world: &mut World, (at, which, hides): (usize, usize, bool), lines: &[&str]) -> Vec<String> {
    let World { sift, outside } = world;
    let (scope, outside) = (SCOPES[which], &outside[which]);
    let listed = if scope.is_empty() { Scope::All } else { Scope::new(scope, &[]) };
    let shown = ["mcp__slack__send_message", "mcp__github__create_issue"];
    let visible = if hides { Visible::Names(shown.map(str::to_owned).to_vec()) } else { Visible::All };
    let turn = Turn::default().visible(visible);
    let bound = sift.settings()["limits"]["revealed"].as_u64().unwrap() as usize;
    let mut answers = Vec::new();
    let session = sift.session("s", Some(&listed)).unwrap();
    for call in lines.chunks(2).take(8) {
        let (name, arguments) = (call[0], call.get(1).copied().unwrap_or("{}"));
        let hits = sift.session("s", None).unwrap().search(arguments).run().map(|found| found.hits).unwrap_or_default();
        assert!(hits.iter().all(|hit| is_within(scope, &hit.name)), "a search for {arguments} finds {hits:?}");
        let before = session.revealed().unwrap();
        let outcome = session.call_in(&turn, name, arguments).unwrap();
        let written = format!("{name}{arguments}");
        match &outcome {
            Outcome::Dispatch { model_name, arguments, .. } => {
                assert!(is_within(scope, model_name), "{name}({arguments}) runs {model_name}");
                assert!(!hides || shown.contains(&&**model_name), "{name}({arguments}) runs {model_name}");
                assert!(arguments.get().starts_with('{'), "{name} runs with {arguments}");
            }
            Outcome::Refused { error } => {
                assert!(error.message.len() < 100_000, "{} bytes", error.message.len());
                let loads = SETTINGS[at].contains("refuse-with-schema") || error.message.contains("loaded");
                assert!(loads || session.revealed().unwrap() == before, "{written}: {}", error.message);
            }
            Outcome::Result(Answered { content, is_error, revealed, .. }) => {
                assert!(!is_error || content.len() < 5_000, "{written}: {} bytes", content.len());
                assert!(content.len() < 500_000, "{written}: {} bytes", content.len());
                assert!(!is_error || revealed.is_empty(), "{written}: {outcome:?}");
            }
        }
        // A refusal may repeat what the model wrote.
        let unwritten: Vec<_> = outside.iter().filter(|(_, text)| !written.contains(text)).cloned().collect();
        assert_eq!(leak(content_of(&outcome), &written, &unwritten), None, "{written}: {}", content_of(&outcome));
        answers.push(serde_json::to_string(&outcome).unwrap());
    }
    let revealed = session.revealed().unwrap();
    assert!(revealed.len() <= bound && revealed.iter().all(|name| is_within(scope, name)), "{revealed:?}");
    for format in [Format::Mcp, Format::Google] {
        let assembly = session.assemble(format).unwrap();
        sound::request(&assembly);
        assert_eq!(session.assemble(format).unwrap().tools.get(), assembly.tools.get(), "assembling changes nothing");
        let sent = format!("{}{}", assembly.tools.get(), assembly.system_prompt);
        assert_eq!(leak(&sent, "", outside), None);
        answers.push(sent);
    }
    let taken = serde_json::to_string(&session.snapshot().unwrap()).unwrap();
    sift.close("s");
    sift.restore(&taken, &RestoreOptions::default().scope(listed.clone()).replace(true)).unwrap();
    let again = sift.session("s", None).and_then(|session| session.snapshot()).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), taken, "a snapshot gives the session that it was taken of");
    sift.close("s");
    answers
}
