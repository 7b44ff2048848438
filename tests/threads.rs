//! Tests the use of one catalog by many threads.

// Threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread;

use serde_json::{Value, json};
use toolsift::{
    Activation, Answered, ErrorCode, Format, Outcome, RegisterOptions, RestoreOptions, Settings, TokenCounter, Tool,
    ToolDefinition, ToolSift, Turn,
};

const THREADS: usize = 8;
const ROUNDS: usize = 40;
const QUERIES: [(&str, &str); 4] = [
    ("tomorrow's weather", "get_forecast"),
    ("send a message", "send_mail"),
    ("open an issue", "create_issue"),
    ("translate a sentence", "translate_text"),
];

fn sift() -> ToolSift {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let tools = [
        ToolDefinition::new("get_forecast").description("Tomorrow's weather at a place."),
        ToolDefinition::new("send_mail").description("Sends a message to somebody."),
        ToolDefinition::new("create_issue").description("Opens an issue in a repository."),
        ToolDefinition::new("translate_text").description("Translates a sentence into another language."),
    ];
    sift.register(&tools, &RegisterOptions::default().server("base")).unwrap();
    sift
}

/// Tools that a server has or has not; none fits one of the queries.
fn plants() -> Vec<ToolDefinition> {
    let plant =
        |at: usize| ToolDefinition::new(format!("water_plant_{at}")).description("Waters a plant on a balcony.");
    (0..30).map(plant).collect()
}

fn names(sift: &ToolSift, query: &str) -> Vec<String> {
    sift.search(query).limit(50).run().unwrap().hits.iter().map(|hit| hit.name.to_string()).collect()
}

/// Runs a body on some threads while another thread changes the catalog, until all are done.
fn beside_changes(sift: &ToolSift, body: impl Fn(usize) + Sync) {
    let is_done = AtomicBool::new(false);
    let changes = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                sift.sync("balcony", &plants(), &RegisterOptions::default()).unwrap();
                sift.sync("balcony", &Vec::<Value>::new(), &RegisterOptions::default()).unwrap();
                changes.fetch_add(1, Ordering::Relaxed);
                thread::yield_now();
            }
        });
        let body = &body;
        let threads: Vec<_> = (0..THREADS).map(|at| scope.spawn(move || body(at))).collect();
        let ends: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
        is_done.store(true, Ordering::Relaxed);
        assert!(ends.iter().all(Result::is_ok), "a thread failed");
    });
    assert!(changes.load(Ordering::Relaxed) > 0);
}

#[test]
fn searches_beside_changes_find_the_same() {
    let sift = sift();
    let alone: Vec<String> = QUERIES.iter().map(|(query, _)| names(&sift, query).swap_remove(0)).collect();
    assert_eq!(alone, QUERIES.map(|(_, tool)| tool));
    beside_changes(&sift, |at| {
        for round in 0..ROUNDS {
            let (query, tool) = QUERIES[(at + round) % QUERIES.len()];
            assert_eq!(names(&sift, query)[0], tool, "{query}");
            let plants = names(&sift, "water plant").len();
            assert!([0, 30].contains(&plants), "a list is there as a whole or not at all: {plants}");
        }
    });
}

#[test]
fn sessions_of_many_threads_do_not_mix() {
    let sift = sift();
    beside_changes(&sift, |at| {
        for round in 0..ROUNDS {
            let id = format!("session {at} {}", round % 3);
            let (query, tool) = QUERIES[(at + round) % QUERIES.len()];
            let session = sift.session(&id, None).unwrap();
            let own = ToolDefinition::new("own").description("Feeds the cat.");
            session.register(&[own], &RegisterOptions::default()).unwrap();
            let outcome = session.call("search_tools", &json!({ "query": query })).unwrap();
            let Outcome::Result(Answered { content, .. }) = outcome else { panic!("{outcome:?}") };
            assert!(content.contains(tool), "{content}");
            session.reveal(&[tool]).unwrap();
            let revealed = session.revealed().unwrap();
            assert!(revealed.iter().any(|name| **name == *tool), "{revealed:?}");
            let outcome = session.call(tool, &json!({ "round": round })).unwrap();
            let Outcome::Dispatch { arguments, .. } = outcome else { panic!("{outcome:?}") };
            assert_eq!(arguments.value().unwrap(), json!({ "round": round }));
            assert_eq!(session.assemble(Format::OpenAi).unwrap().size.parts.revealed.tools, revealed.len());
            let kept = session.snapshot().unwrap();
            assert!(sift.close(&id));
            assert_eq!(session.revealed().unwrap_err().code(), ErrorCode::SessionClosed);
            sift.restore(&kept, &RestoreOptions::default().replace(true)).unwrap();
            assert_eq!(sift.session(&id, None).unwrap().revealed().unwrap(), revealed);
            assert!(sift.close(&id));
        }
    });
}

#[test]
fn a_ranker_may_use_the_catalog() {
    let sift = sift();
    let catalog = sift.clone();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let ranked = sift.with_ranker(move |query, tools| {
        count.fetch_add(1, Ordering::Relaxed);
        // Each of these would wait for ever if the search held its lock meanwhile.
        catalog.register_one(&json!({ "name": format!("t{}", tools.len()) }), &RegisterOptions::default())?;
        catalog.session("another", None)?.call("search_tools", &json!({ "query": query }))?;
        // What the ranker searches for itself is ranked by words alone, or it would call itself without end.
        assert!(catalog.search(query).run()?.hits.is_empty());
        let is_meant = |tool: &&Arc<Tool>| query.contains("umbrella") && tool.model_name() == "get_forecast";
        Ok(tools.iter().filter(is_meant).map(|tool| (tool.model_name().to_owned(), 1.0)).collect())
    });
    assert_eq!(names(&ranked, "umbrella"), ["get_forecast"]);
    let session = ranked.session("chat", None).unwrap();
    let Outcome::Result(answer) = session.call("search_tools", &json!({ "query": "umbrella" })).unwrap() else {
        panic!("a search has a result");
    };
    assert!(answer.content.contains("get_forecast"), "{answer:?}");
    assert!(ranked.search("umbrella").explain("get_forecast").unwrap().found);
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    session.call("get_forecast", &json!({})).unwrap();
    names(&ranked, "select:get_forecast");
    assert_eq!(asked.load(Ordering::Relaxed), 3, "neither searches by words");
}

#[test]
fn what_the_host_says_of_one_search_goes_before_its_ranker() {
    let sift = sift().with_ranker(|_, _| Ok(vec![("send_mail".to_owned(), 1.0), ("no such tool".to_owned(), 1.0)]));
    assert_eq!(names(&sift, "umbrella"), ["send_mail"]);
    let scores = vec![("send_mail".to_owned(), 0.0), ("get_forecast".to_owned(), 1.0)];
    let found = sift.search("umbrella").scores(scores.clone()).run().unwrap();
    assert_eq!(found.hits.iter().map(|hit| &*hit.name).collect::<Vec<_>>(), ["get_forecast"]);
    let session = sift.session("s", None).unwrap();
    let turn = Turn::default().scores(scores);
    let outcome = session.call_in(&turn, "search_tools", &json!({ "query": "umbrella" })).unwrap();
    let Outcome::Result(Answered { content, .. }) = outcome else { panic!("{outcome:?}") };
    assert!(content.contains("get_forecast") && !content.contains("send_mail"), "{content}");
}

#[test]
fn a_ranker_that_fails_or_panics_leaves_the_catalog_as_it_was() {
    let plain = sift();
    let before = plain.session("before", None).unwrap();
    for wrong in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        let ranked = plain.clone().with_ranker(move |_, _| Ok(vec![("send_mail".to_owned(), wrong)]));
        let error = ranked.search("umbrella").run().unwrap_err();
        assert_eq!(error.code(), ErrorCode::RankerFailed, "{wrong}");
        assert!(error.message().contains("\"send_mail\""), "{error}");
    }
    // A ranker counts for all handles: for this clone, the one that it was made of, and sessions that were open before.
    let ranked = plain.clone().with_ranker(|_, _| panic!("the host's own"));
    let session = ranked.session("s", None).unwrap();
    for search in [
        &(|| drop(plain.search("umbrella").run())) as &dyn Fn(),
        &|| drop(session.call("search_tools", &json!({ "query": "umbrella" }))),
        &|| drop(before.search("umbrella").run()),
    ] {
        let panic = catch_unwind(AssertUnwindSafe(search)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"the host's own"));
    }
    let ranked = ranked.with_ranker(|_, _| Ok(Vec::new()));
    assert_eq!(names(&ranked, "tomorrow's weather")[0], "get_forecast");
    plain.register(&plants(), &RegisterOptions::default()).unwrap();
    assert!(session.revealed().unwrap().is_empty());
}

/// A sift whose counter calls a function of the test's.
fn counted_by(count: impl Fn(&str) -> Result<f64, String> + Send + Sync + 'static) -> ToolSift {
    // Tokens decide whether a call finds the tools held back.
    let settings = Settings::default().activation(Activation::Tokens(1));
    let counted = ToolSift::with_counter(settings, TokenCounter::Host(Box::new(count)));
    let tools = [
        ToolDefinition::new("get_forecast").description("Tomorrow's weather at a place."),
        ToolDefinition::new("send_mail").description("Sends a message to somebody."),
    ];
    counted.register(&tools, &RegisterOptions::default().server("base")).unwrap();
    counted
}

#[test]
fn a_slow_counter_delays_no_other_session() {
    let works: [fn(&ToolSift); 5] = [
        |sift| _ = sift.session("slow", None).unwrap().call("search_tools", &json!({ "query": "message" })).unwrap(),
        |sift| _ = sift.session("slow", None).unwrap().assemble(Format::OpenAi).unwrap(),
        |sift| _ = sift.session("slow", None).unwrap().held_back(Format::OpenAi).unwrap(),
        |sift| _ = sift.session("slow", None).unwrap().tools().unwrap(),
        |sift| _ = sift.size(Format::Google).unwrap(),
    ];
    for work in works {
        let (counting, is_counting) = mpsc::channel();
        let (go_on, waits) = mpsc::channel::<()>();
        let (waits, here) = (Mutex::new(waits), thread::current().id());
        let sift = counted_by(move |text| {
            if thread::current().id() != here {
                counting.send(()).unwrap();
                _ = waits.lock().unwrap().recv();
            }
            Ok(text.len() as f64)
        });
        thread::scope(|scope| {
            let slow = scope.spawn(|| work(&sift));
            is_counting.recv().unwrap();
            // The counter waits for what follows: nothing of it may wait for the counter.
            let other = sift.session("other", None).unwrap();
            let found = other.call("search_tools", &json!({ "query": "send a message" })).unwrap();
            assert!(matches!(found, Outcome::Result(_)), "{found:?}");
            assert_eq!(names(&sift, "tomorrow's weather")[0], "get_forecast");
            other.assemble(Format::Anthropic).unwrap();
            sift.register_one(&ToolDefinition::new("water_plant"), &RegisterOptions::default()).unwrap();
            drop(go_on);
            slow.join().unwrap();
        });
    }
}

#[test]
fn a_counter_may_search_but_use_no_session() {
    let own: Arc<OnceLock<ToolSift>> = Arc::default();
    let (mine, uses) = (own.clone(), Arc::new(AtomicUsize::new(0)));
    let using = uses.clone();
    let sift = counted_by(move |text| {
        let Some(sift) = mine.get() else { return Ok(1.0) };
        using.fetch_add(1, Ordering::Relaxed);
        assert!(!names(sift, "tomorrow's weather").is_empty());
        // A session would wait for itself.
        let error = sift.session("inner", None).unwrap().assemble(Format::Anthropic).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CounterFailed);
        match text.contains("forecast") {
            true => panic!("a counter of the host's that panics"),
            false => Ok(text.len() as f64),
        }
    });
    own.set(sift.clone()).unwrap();
    let session = sift.session("outer", None).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| session.assemble(Format::OpenAi))).is_err());
    sift.sync(
        "base",
        &[ToolDefinition::new("get_weather").description("Tomorrow's weather.")],
        &RegisterOptions::default(),
    )
    .unwrap();
    let size = session.assemble(Format::OpenAi).unwrap().size;
    assert!(size.full.tokens > 0 && uses.load(Ordering::Relaxed) > 1);
}
