/**
 * What must every adapter do, whatever its SDK? The same conversations are led over each of them, with the SDK's real code
 * and a model that follows a script, and what the model was sent and told is compared step by step.
 *
 * A drive is `{ adapter, road, versions, converse }`: the entry; what a table says of this way over it; the packages that an
 * application has, one set for each version of the SDK, the SDK first; and what leads one run of the agent, from the prompt
 * to its end. `converse` is given
 *
 * - `app`, the application, whose packages `app.load(name)` imports, and `sift`, its `ToolSift`,
 * - `id` and `scope`, the session's; without a scope, the session sees everything,
 * - `prompt`, what the user says; the host's own prompt is "You are an agent.",
 * - `script`, what the model says, for `startVendor` of tests/apis/vendor.mjs,
 * - and options, to be handed to the adapter or to `runTools` as they are: `execute` always; in some conversations
 *   `patience`, `maxSteps`, `onEvent`, `rank`, `maxAnswerChars` and `readOn`; `maxTools` in tests/adapters/limits.test.mjs;
 *   and what the drive's own test names as `variants`, such as `stream`. An SDK's own limit of steps is set to `maxSteps`.
 *
 * `skips` may say of conversations, by name, why the SDK cannot play them.
 *
 * It answers `{ requests, finish, text }`: the requests as tests/apis/vendor.mjs describes them, how it ended
 * (`done`, `steps`, `refused`), and the model's last words. It throws what the adapter throws.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allOrLast } from "../../../scripts/lib/full.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { appWith } from "./app.mjs";
import { add, call, DISCOVERY, ISSUE, search } from "./calls.mjs";
import { agentOver, catalogOf, pluck, siftOf, toolsOf } from "./tools.mjs";

/** What a model says, and what comes of it. python/tests/test_contract.py plays them too, and explains the fields. */
const CONVERSATIONS = JSON.parse(readFileSync(at("tests", "adapters", "lib", "conversations.json"), "utf8"));

/** A script of replies: each is a list of calls; after the last one the model says that it is done. */
export function script(...replies) {
  return (_, step) => (step <= replies.length ? { calls: replies[step - 1] } : { text: "All done." });
}

/** The versions of a drive's SDK: the newest, all that the repository has, or the one that `npm run peers` installed. */
const versionsOf = ({ versions }) => (process.env.TOOLSIFT_PEERS === undefined ? allOrLast(versions) : versions.slice(-1));

/** Runs the contract over every version of a drive's SDK, and with every variant of its options. */
export function contract(drive, { variants = [{}], versions = versionsOf(drive) } = {}) {
  for (const packages of versions) {
    for (const variant of variants) {
      const label = [...Object.values(packages), ...Object.entries(variant).map((pair) => pair.join(" "))].join(", ");
      over(drive, packages, variant, `${drive.adapter} (${label}): `);
    }
  }
}

/** What all of some conversations take together: none is asked again before the others are. */
function meeting(size) {
  let waiting = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < size) return;
      for (const go of waiting) go();
      waiting = [];
    });
}

function answerOf(answers, { server, name }) {
  const { throws, ...answer } = answers[name] ?? {};
  if (throws !== undefined) throw new Error(throws);
  return name in answers ? answer : `${server}/${name} did it`;
}

/** Compares a run with what conversations.json expects of it. */
function check({ system, systems, steps, ran, count, arguments: args, finish, text }, run) {
  const sent = run.requests.map(({ tools }) => tools);
  assert.equal(sent.length, steps.length, "requests");
  assert.deepEqual(sent[0].slice(0, DISCOVERY.length), DISCOVERY);
  if (system !== undefined) assert.match(run.requests[0].system, new RegExp(system));
  for (const [at, { loaded, first, same, has = [], lacks = [], answers = [] }] of steps.entries()) {
    const names = sent[at];
    const before = sent[Math.max(at - 1, 0)];
    assert.deepEqual(names.slice(0, before.length), before, "only appended");
    if (loaded !== undefined) assert.deepEqual(names.slice(DISCOVERY.length), loaded);
    if (first !== undefined) assert.equal(names[DISCOVERY.length], first, "the best hit first, behind what stood there");
    if (same === true) assert.deepEqual(names, before);
    assert.ok(has.every((name) => names.includes(name)) && !lacks.some((name) => names.includes(name)), `${names}`);
    if (systems !== undefined) assert.match(run.requests[at].system, new RegExp(systems));
    if (answers.length > 0) assert.equal(run.requests[at].answers.length, answers.length, "each call is answered");
    for (const [place, wanted] of answers.entries()) assert.match(run.requests[at].answers[place], new RegExp(wanted));
  }
  if (finish === "done")
    assert.deepEqual([...DISCOVERY, ...run.revealed], sent.at(-1), "the session holds what the model sees");
  if (ran !== undefined) {
    assert.deepEqual(
      run.ran.map(({ server, name }) => `${server}/${name}`),
      ran,
    );
  }
  if (count !== undefined) assert.ok(run.ran.length >= count[0] && run.ran.length <= count[1], `${run.ran.length} ran`);
  if (args !== undefined) assert.deepEqual(run.ran[0].args, args);
  assert.equal(run.finish, finish);
  if (text !== undefined) assert.equal(run.text, text);
}

function over(drive, packages, variant, label) {
  const agent = (app, sift, options) => agentOver(drive, app, { sift, ...variant, ...options });

  /** Plays the runs of a conversation, one after the other or together, on one catalog. */
  async function play({ runs, together = false }, app, shared) {
    let sift = shared;
    const meet = together ? meeting(runs.length) : () => {};
    const lead = async ({ id = "chat", replies, forever = false, answers = {}, restarted = false, expect, ...options }) => {
      if (restarted) {
        const snapshot = JSON.parse(JSON.stringify(sift.session(id).snapshot()));
        sift = await siftOf(app);
        sift.restore(snapshot);
      }
      const said = async (request, step) => {
        await meet();
        return script(...replies)(request, forever ? Math.min(step, replies.length) : step);
      };
      const run = await agent(app, sift, {
        id,
        script: said,
        answer: (dispatch) => answerOf(answers, dispatch),
        ...options,
      });
      check(expect, { ...run, revealed: sift.session(id).revealed });
      if (options.prompt !== undefined) assert.equal(run.requests[0].prompt, options.prompt);
    };
    if (together) await Promise.all(runs.map(lead));
    else for (const run of runs) await lead(run);
  }

  /** A test on the application's catalog, which closes the sessions of these ids. */
  function on(name, ids, lead) {
    test(`${label}${name}`, { skip: drive.skips?.[name] }, async () => {
      const app = await appWith(packages);
      const sift = await catalogOf(app);
      try {
        await lead(app, sift);
      } finally {
        for (const id of ids) sift.closeSession(id);
      }
    });
  }

  for (const conversation of CONVERSATIONS) {
    const ids = conversation.runs.map(({ id = "chat" }) => id);
    on(conversation.name, ids, (app, sift) => play(conversation, app, sift));
  }

  on("events tell of searches, reveals, dispatches and refusals", ["chat"], async (app, sift) => {
    const events = [];
    const replies = [[search("create an issue in a repository")], [call("create_issue", ISSUE)], [call("no_such_tool")]];
    await agent(app, sift, { script: script(...replies), onEvent: (event) => void events.push(event) });
    assert.deepEqual(
      events.map(({ type, tool, step }) => `${step} ${type} ${tool}`),
      ["1 search search_tools", "1 reveal search_tools", "2 dispatch create_issue", "3 refuse no_such_tool"],
    );
    const [searched, revealed, dispatched, refused] = events;
    assert.equal(searched.query, "create an issue in a repository");
    assert.deepEqual(searched.revealed, revealed.revealed);
    assert.equal(searched.attributes["toolsift.ranker.name"], "sift");
    assert.ok(searched.tokens > 0 && revealed.tokens > 0);
    assert.deepEqual([dispatched.server, dispatched.name, dispatched.isError], ["github", "create_issue", false]);
    assert.deepEqual([refused.code, refused.attributes["error.type"]], ["tool_unknown", "tool_unknown"]);
    for (const { duration, session, attributes } of events) {
      assert.ok(duration >= 0);
      assert.deepEqual([session, attributes["gen_ai.conversation.id"]], ["chat", "chat"]);
    }
  });

  on(
    "the host's own ranker chooses what a search loads, and one that fails gives way to the core's",
    ["narrow"],
    async (app, sift) => {
      const asked = [];
      const events = [];
      const rank = async (query, tools, { session, signal }) => {
        asked.push({ query, session, names: tools.names, isAborted: signal.aborted });
        if (query === "break") throw new Error("the index is down");
        return query === "nothing" ? [] : ["read_graph", "no_such_tool", "get_me", "open_nodes"];
      };
      const replies = [[search("what do we know")], [search("nothing")], [search("break")], [call("read_graph")]];
      const onEvent = (event) => void events.push(event);
      const options = { id: "narrow", script: script(...replies), rank, onEvent, scope: { servers: ["memory"] } };
      const { requests, ran } = await agent(app, sift, options);

      const queries = ["what do we know", "nothing", "break"];
      assert.deepEqual(pluck(asked, "query"), queries);
      assert.ok(asked.every(({ session }) => session === "narrow"));
      const memory = toolsOf("memory").map(({ name }) => name);
      assert.deepEqual(asked[0], { query: "what do we know", session: "narrow", names: memory, isAborted: false });
      assert.deepEqual(
        requests[1].tools,
        [...DISCOVERY, "read_graph", "open_nodes"],
        "in the host's order, within the scope",
      );
      assert.match(requests[1].answers[0], /^Loaded\. Call them from your next step on:\n- read_graph\(/);
      assert.doesNotMatch(requests[1].answers[0], /select:|no_such_tool|get_me/, "nothing that the model did not ask for");
      assert.match(requests[2].answers[0], /^No tool matches\. Search once more/);
      assert.deepEqual(pluck(ran, "name"), ["read_graph"]);
      const searched = events.filter(({ type }) => type === "search");
      assert.deepEqual(pluck(searched, "query", "ranker", "rankError"), [
        ["what do we know", "own", undefined],
        ["nothing", "own", undefined],
        ["break", "sift", "the index is down"],
      ]);
    },
  );

  on("the model reads on in an answer that was cut", ["chat", "off"], async (app, sift) => {
    const whole = Array.from({ length: 300 }, (_, at) => `line ${at}`).join("\n");
    let read = "";
    const reading = ({ answers }, step) => {
      if (step === 1) return { calls: [add("read_graph")] };
      if (step === 2) return { calls: [call("read_graph")] };
      const [text] = answers;
      const [note, id, from] = /\n\n\[[^[]*read_cut_answer\((?:.*?)"id":"(r\d+)","from":(\d+)\}\)[^]*$/.exec(text) ?? [""];
      read += text.slice(0, text.length - note.length);
      return note === "" ? { text: "All done." } : { calls: [call("read_cut_answer", { id, from: Number(from) })] };
    };
    const options = { script: reading, answer: () => whole, maxAnswerChars: 1_000 };
    const { requests, finish } = await agent(app, sift, options);
    assert.equal(read, whole);
    assert.equal(finish, "done");
    assert.ok(requests.slice(2).every(({ answers }) => answers[0].length <= 1_000));
    const offered = requests.map(({ tools }) => tools.includes("read_cut_answer"));
    assert.deepEqual(
      offered,
      requests.map((_, at) => at >= 2),
      "offered from the cut on",
    );

    const off = await agent(app, sift, { ...options, id: "off", readOn: false });
    assert.equal(off.requests.length, 3);
    assert.match(off.requests[2].answers[0], /To read the rest, call the tool again for less at once/);
    assert.ok(!off.requests[2].tools.includes("read_cut_answer"));
  });
}
