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
 * - `script`, what the model says, for `startVendor` of tests/vendors/vendor.mjs,
 * - and options, to be handed to the adapter or to `runTools` as they are: `execute` always; in some conversations
 *   `patience`, `maxSteps`, `onEvent`, `rank`, `maxAnswerChars` and `readOn`; `maxTools` in tests/adapters/limits.test.mjs;
 *   and what the drive's own test names as `variants`, such as `stream`. An SDK's own limit of steps is set to `maxSteps`.
 *
 * It answers `{ requests, finish, text }`: the requests as tests/vendors/vendor.mjs describes them, how it ended
 * (`done`, `steps`, `refused`), and the model's last words. It throws what the adapter throws.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { allOrLast } from "../../../scripts/lib/full.mjs";
import { appWith } from "./app.mjs";
import { add, call, DISCOVERY, ENTITIES, ISSUE, search } from "./calls.mjs";
import { host, siftOf, toolsOf } from "./tools.mjs";

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

function over(drive, packages, variant, label) {
  /** One agent on a catalog of its own, or on the one that is given. */
  async function agent(options) {
    const app = await appWith(packages);
    const sift = options.sift ?? (await siftOf(app, options.settings));
    const { execute, ran } = host(options.answer);
    const { settings: _, answer: __, ...others } = options;
    const about = { app, sift, id: "chat", prompt: "Go on.", execute, ...variant, ...others };
    return { sift, ran, ...(await drive.converse(about)) };
  }

  test(`${label}what the model is sent, step by step`, async () => {
    const replies = [
      [search("create an issue in a repository")],
      [call("create_issue", ISSUE)],
      [search("read a text file")],
      [call("create_issue", ISSUE), call("read_text_file", { path: "a.txt" }), search("open a pull request")],
    ];
    const { requests, ran, finish, text, sift } = await agent({ script: script(...replies), prompt: "Report it." });

    const sent = requests.map(({ tools }) => tools);
    assert.equal(requests.length, 5);
    assert.deepEqual(sent[0], DISCOVERY);
    assert.deepEqual(sent[1].slice(0, 4), [...DISCOVERY, "create_issue"], "the best hit first, behind what stood there");
    assert.deepEqual(sent[2], sent[1]);
    assert.ok(sent[3].includes("read_text_file") && sent[4].includes("create_pull_request"));
    for (const [at, names] of sent.slice(1).entries())
      assert.deepEqual(names.slice(0, sent[at].length), sent[at], "only appended");
    assert.deepEqual([...DISCOVERY, ...sift.session("chat").revealed], sent[4], "the session holds what the model sees");

    assert.match(requests[0].system, /You are an agent\.[^]*## Finding tools[^]*- github \(26\)/);
    assert.equal(requests[0].prompt, "Report it.");
    assert.match(requests[1].answers[0], /^Loaded\. Call them from your next step on:\n- create_issue\(/);
    assert.deepEqual(requests[2].answers, ["github/create_issue did it"]);
    assert.deepEqual(requests[4].answers.slice(0, 2), ["github/create_issue did it", "filesystem/read_text_file did it"]);
    assert.match(requests[4].answers[2], /create_pull_request/);
    const names = ran.map(({ server, name }) => `${server}/${name}`);
    assert.deepEqual(names, ["github/create_issue", "github/create_issue", "filesystem/read_text_file"]);
    assert.deepEqual(ran[0].args, ISSUE);
    assert.deepEqual({ finish, text }, { finish: "done", text: "All done." });
  });

  test(`${label}a call that comes too early is told the schema, and runs when it is made again`, async () => {
    const replies = [[call("create_entities", { names: ["Ada"] })], [call("create_entities", ENTITIES)]];
    const { requests, ran, finish } = await agent({ script: script(...replies) });
    assert.match(requests[1].answers[0], /create_entities was not loaded, so this call did not run.*"observations"/);
    assert.deepEqual(requests[1].tools, [...DISCOVERY, "create_entities"]);
    assert.deepEqual(ran, [{ server: "memory", name: "create_entities", args: ENTITIES }]);
    assert.deepEqual(requests[2].answers, ["memory/create_entities did it"]);
    assert.equal(finish, "done");
  });

  test(`${label}a tool that fails is told to the model, and the agent goes on`, async () => {
    const answer = ({ name }) => {
      if (name === "create_issue") throw new Error("the repository is archived");
      return { content: [{ type: "text", text: "no such graph" }], isError: true };
    };
    const replies = [[add("create_issue", "read_graph")], [call("create_issue", ISSUE), call("read_graph")]];
    const { requests, finish } = await agent({ script: script(...replies), answer });
    assert.match(requests[2].answers[0], /the repository is archived/);
    assert.match(requests[2].answers[1], /no such graph/);
    assert.equal(finish, "done");
  });

  test(`${label}two sessions at once never mix`, async () => {
    const app = await appWith(packages);
    const sift = await siftOf(app);
    let waiting = [];
    /** Both conversations take each step together: neither is asked again before the other is. */
    const together = () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 2) return;
        for (const go of waiting) go();
        waiting = [];
      });
    const lead = (id, tool, args) =>
      agent({
        sift,
        id,
        script: async (_, step) => {
          await together();
          return script([add(tool)], [call(tool, args)], [call(tool, args)])(_, step);
        },
      });
    const [one, two] = await Promise.all([lead("one", "create_issue", ISSUE), lead("two", "create_entities", ENTITIES)]);
    for (const [{ requests, ran }, tool] of [
      [one, "create_issue"],
      [two, "create_entities"],
    ]) {
      assert.deepEqual(
        requests.map(({ tools }) => tools.slice(3)),
        [[], [tool], [tool], [tool]],
      );
      assert.deepEqual(
        ran.map(({ name }) => name),
        [tool, tool],
      );
    }
  });

  test(`${label}what was revealed is there in the next run, and after a restart`, async () => {
    const first = await agent({ script: script([add("create_issue", "read_graph")]) });
    const again = await agent({ sift: first.sift, script: script([call("create_issue", ISSUE)]) });
    assert.deepEqual(again.requests[0].tools, [...DISCOVERY, "create_issue", "read_graph"]);
    assert.deepEqual(again.requests[1].answers, ["github/create_issue did it"]);

    const snapshot = JSON.parse(JSON.stringify(first.sift.session("chat").snapshot()));
    const sift = await siftOf(await appWith(packages));
    sift.restore(snapshot);
    const restarted = await agent({ sift, script: script([call("read_graph")]) });
    assert.deepEqual(restarted.requests[0].tools, [...DISCOVERY, "create_issue", "read_graph"]);
    assert.deepEqual(restarted.ran, [{ server: "memory", name: "read_graph", args: {} }]);
  });

  test(`${label}nothing outside a session's scope is found, seen or run`, async () => {
    const replies = [
      [search("create an issue in a repository")],
      [call("create_issue", ISSUE)],
      [add("read_graph")],
      [call("read_graph")],
    ];
    const { requests, ran } = await agent({ script: script(...replies), scope: { servers: ["memory"] } });
    assert.ok(!requests.some(({ system }) => system.includes("github")));
    assert.ok(!requests[1].answers[0].includes("create_issue("));
    assert.match(requests[2].answers[0], /There is no tool named .{0,2}create_issue/);
    assert.deepEqual(
      ran.map(({ name }) => name),
      ["read_graph"],
    );
    assert.ok(!requests.at(-1).tools.includes("create_issue"));
  });

  test(`${label}a model that makes nothing but calls that cannot run gets the way out, then a stop`, async () => {
    const broken = [call("search_tools", {}), call("search_tools", { query: 5 }), call("add_tool", { tool_names: 7 })];
    const early = ["read_graph", "open_nodes", "search_nodes", "delete_relations", "add_observations"];
    const hostile = (_, step) => ({
      calls: [call("no_such_tool", { a: 1 }), call("create_issue", ISSUE), ...broken, call(early[step - 1])],
    });
    const limits = { scope: { servers: ["memory"] }, patience: 4, maxSteps: 12 };
    const { requests, ran, finish } = await agent({ script: hostile, ...limits });
    assert.equal(finish, "refused");
    assert.equal(requests.length, 4, "stopped after as many replies as its patience");
    assert.deepEqual(ran, []);
    for (const { answers } of requests.slice(1)) {
      assert.equal(answers.length, 6, "each call is answered");
      assert.match(answers[0], /no_such_tool/);
      assert.match(answers[1], /create_issue/);
      assert.match(answers[2], /query/);
      assert.match(answers[3], /query/);
      assert.match(answers[4], /tool_names/);
      assert.match(answers[5], /was not loaded/);
    }
  });

  test(`${label}steps are limited where the model never ends`, async () => {
    const { requests, finish, ran } = await agent({ script: () => ({ calls: [call("read_graph")] }), maxSteps: 3 });
    assert.equal(requests.length, 3);
    assert.equal(finish, "steps");
    assert.ok(ran.length >= 1 && ran.length <= 2, "the first one came too early");
  });

  test(`${label}events tell of searches, reveals, dispatches and refusals`, async () => {
    const events = [];
    const replies = [[search("create an issue in a repository")], [call("create_issue", ISSUE)], [call("no_such_tool")]];
    await agent({ script: script(...replies), onEvent: (event) => void events.push(event) });
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

  test(`${label}the host's own ranker chooses what a search loads, and one that fails gives way to the core's`, async () => {
    const asked = [];
    const events = [];
    const rank = async (query, tools, { session, signal }) => {
      asked.push({ query, session, names: tools.names, isAborted: signal.aborted });
      if (query === "break") throw new Error("the index is down");
      return query === "nothing" ? [] : ["read_graph", "no_such_tool", "get_me", "open_nodes"];
    };
    const replies = [[search("what do we know")], [search("nothing")], [search("break")], [call("read_graph")]];
    const onEvent = (event) => void events.push(event);
    const { requests, ran } = await agent({ script: script(...replies), rank, onEvent, scope: { servers: ["memory"] } });

    const queries = ["what do we know", "nothing", "break"];
    assert.deepEqual(
      asked.map(({ query }) => query),
      queries,
    );
    assert.ok(asked.every(({ session }) => session === "chat"));
    const memory = toolsOf("memory").map(({ name }) => name);
    assert.deepEqual(asked[0], { query: "what do we know", session: "chat", names: memory, isAborted: false });
    assert.deepEqual(requests[1].tools, [...DISCOVERY, "read_graph", "open_nodes"], "in the host's order, within the scope");
    assert.match(requests[1].answers[0], /^Loaded\. Call them from your next step on:\n- read_graph\(/);
    assert.doesNotMatch(requests[1].answers[0], /select:|no_such_tool|get_me/, "nothing that the model did not ask for");
    assert.match(requests[2].answers[0], /^No tool matches\. Search once more/);
    assert.deepEqual(
      ran.map(({ name }) => name),
      ["read_graph"],
    );
    const searched = events.filter(({ type }) => type === "search");
    assert.deepEqual(
      searched.map(({ query, ranker, rankError }) => [query, ranker, rankError]),
      [
        ["what do we know", "own", undefined],
        ["nothing", "own", undefined],
        ["break", "sift", "the index is down"],
      ],
    );
  });

  test(`${label}the model reads on in an answer that was cut`, async () => {
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
    const { requests, finish } = await agent({ script: reading, answer: () => whole, maxAnswerChars: 1_000 });
    assert.equal(read, whole);
    assert.equal(finish, "done");
    assert.ok(requests.slice(2).every(({ answers }) => answers[0].length <= 1_000));
    const offered = requests.map(({ tools }) => tools.includes("read_cut_answer"));
    assert.deepEqual(
      offered,
      requests.map((_, at) => at >= 2),
      "offered from the cut on",
    );

    const off = await agent({ script: reading, answer: () => whole, maxAnswerChars: 1_000, readOn: false });
    assert.equal(off.requests.length, 3);
    assert.match(off.requests[2].answers[0], /To read the rest, call the tool again for less at once/);
    assert.ok(!off.requests[2].tools.includes("read_cut_answer"));
  });
}
