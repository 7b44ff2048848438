/**
 * Tests the option `rank`, with which the program ranks tools itself.
 * 1. It is called only for searches of the model. The answer is built by the Rust library, within its budget.
 * 2. If a ranker fails, the built-in ranker is used, and an event or a warning says so. The ways to fail are in
 *    tests/package/rank.test.mjs.
 * 3. A run that ends does not wait for the ranker, and aborts its signal.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { add, call, search } from "./lib/calls.mjs";
import { run } from "./lib/loop.mjs";

/** Runs one reply: its answers, and the search events. */
async function answersOf(calls, options) {
  const events = [];
  const onEvent = (event) => void events.push(event);
  const { seen, session } = await run(calls, { onEvent, ...options });
  return {
    contents: seen[1]?.answers.map(({ content }) => content),
    session,
    searches: events.filter(({ type }) => type === "search"),
  };
}

/** What was written to `console.warn` while something was done. */
async function warned(work) {
  const { warn } = console;
  const lines = [];
  console.warn = (...args) => void lines.push(args.join(" "));
  try {
    await work();
  } finally {
    console.warn = warn;
  }
  return lines;
}

/** A ranker that judges every search. */
const judging = (rerank) => ({ rank: { rerank, rerankWhen: "always" } });

test("what the model names itself, what is no search, and what is no query go to the core", async () => {
  const asked = [];
  const rank = (query) => (asked.push(query), []);
  const calls = [
    search("select:open_nodes"),
    add("search_nodes"),
    call("search_tools", {}),
    call("search_tools", { query: " " }),
  ];
  const { contents, session } = await answersOf(calls, judging(rank));
  assert.deepEqual(asked, []);
  assert.deepEqual(session.revealed.slice(2), ["open_nodes", "search_nodes"]);
  assert.match(contents[2], /query is required/);
});

test("the core's budget bounds what the host's choice loads", async () => {
  const names = ["open_nodes", "search_nodes", "read_text_file", "list_directory", "get_file_info", "move_file", "echo"];
  const { session, contents } = await answersOf(
    [search(names.join(" "))],
    judging(() => [...names, ...names]),
  );
  const loaded = session.revealed.slice(2);
  assert.ok(loaded.length > 0 && loaded.length <= 5);
  assert.deepEqual(loaded, names.slice(0, loaded.length));
  assert.match(contents[0], /Not loaded[^]*- echo\(/);
});

test("a ranker that fails gives way to the core's, and the console says so where nobody listens", async () => {
  const fails = () => Promise.reject(new Error("no index"));
  const lines = await warned(() => run([search("create an issue")], judging(fails)));
  assert.deepEqual(lines, ["toolsift: options.rank failed, and toolsift ranked the search itself: rerank: no index"]);
  const { searches } = await answersOf([search("create an issue")], judging(fails));
  assert.equal(searches[0].attributes["toolsift.ranker.error"], "rerank: no index");
  const quiet = judging(() => []);
  assert.deepEqual(await warned(() => run([search("create an issue")], quiet)), []);
});

test("a run that ends does not wait for the ranker, whose signal ends too", async () => {
  const ending = new AbortController();
  let ranking;
  const rank = (_, __, { signal }) => {
    ranking = signal;
    setTimeout(() => ending.abort(new Error("the user left")), 5);
    return new Promise(() => {});
  };
  await assert.rejects(
    run([search("create an issue")], { ...judging(rank), signal: ending.signal, onEvent: () => {} }),
    /the user left/,
  );
  assert.equal(ranking.aborted, true);
});

test("searches of one reply are ranked at once, and answered in their order", async () => {
  let waiting = 0;
  let go;
  const both = new Promise((resolve) => (go = resolve));
  const rank = async (query) => {
    waiting += 1;
    if (waiting === 2) go();
    await both;
    return [query];
  };
  const { session } = await answersOf([search("open_nodes"), search("search_nodes")], judging(rank));
  assert.deepEqual(session.revealed.slice(2), ["open_nodes", "search_nodes"]);
});
