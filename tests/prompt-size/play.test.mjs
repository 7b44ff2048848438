/**
 * Is the conversation that of a model with the package?
 *
 * 1. A model searches in the grammar of its profile, and by exact names where that failed.
 * 2. It searches, loads or describes, calls, and says its last words; what it has it calls at once; two failures are the end.
 * 3. Every profile gets to every tool; with everything in full nothing is searched, and every request keeps the one before.
 * 4. A reveal of `sift` keeps the tools before the bracket and loses what stands behind it; the next request keeps all.
 * 5. Requests of `sift` append only; a package that breaks this is found out.
 * 6. An eviction shortens the request and makes what stands behind the evicted tool new.
 * 7. Scripts ask for what there is, whatever there is.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { argumentsFor } from "../../scripts/lib/conversation/arguments.mjs";
import { evictions, LEFT } from "../../scripts/lib/conversation/evict.mjs";
import { checkAppends, CONSTANT, converse, FULL, playersOf } from "../../scripts/lib/conversation/measure.mjs";
import { Model } from "../../scripts/lib/conversation/model.mjs";
import { RATES } from "../../scripts/lib/conversation/rates.mjs";
import { MISS, scriptFor, TURNS } from "../../scripts/lib/conversation/script.mjs";
import { NO_WAY, wayOf } from "../../scripts/lib/conversation/way.mjs";
import { WIRES } from "../../scripts/lib/conversation/wire.mjs";
import { at } from "../../scripts/lib/paths.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
const FORMATS = Object.keys(WIRES);
const KITCHEN = readCatalogs(at("tests", "simulate", "catalogs"));
const OFFICE = readCatalogs(at("tests", "vectors", "catalogs")).filter(({ server }) => server === "mcp60");
const converseAbout = (catalogs, of = ToolSift, formats = FORMATS) =>
  converse(of, catalogs, { formats, rates: RATES, written: false });

const NEEDS = [
  { name: "read_file", words: "read a file", pattern: "read.*file" },
  { name: "send_mail", words: "send a mail", pattern: "send.*mail" },
];

const wayIn = (profile) => wayOf(ToolSift.profiles().find(({ name }) => name === profile));

test("the grammar of every profile", () => {
  const find = (name, ...queries) => queries.map((query) => ({ name, args: { query } }));
  const expected = {
    sift: find("search_tools", "read a file and send a mail"),
    "search-add": find("search_tools", "read.*file|send.*mail"),
    select: find("ToolSearch", "select:read_file,send_mail"),
    "select-load": find("ToolSearch", "select:read_file,send_mail"),
    stub: find("tool_search", "read_file", "send_mail"),
    bridge: find("tool_search", "read a file", "send a mail"),
  };
  for (const row of ToolSift.profiles()) {
    const way = wayOf(row);
    const [finder] = row.surface;
    assert.deepEqual(way.search(NEEDS, false), expected[row.name], row.name);
    assert.deepEqual(way.search(NEEDS, true), find(finder, "read_file", "send_mail"), row.name);
    // What nobody has cannot be asked for by name or by pattern.
    assert.deepEqual(way.search([{ words: "buy tulips" }], false), find(finder, "buy tulips"), row.name);
  }
  const [add, describe] = ["search-add", "bridge"].map(wayIn);
  assert.deepEqual(add.load(NEEDS), [{ name: "add_tool", args: { tool_names: ["read_file", "send_mail"] } }]);
  assert.deepEqual(
    describe.load(NEEDS).map(({ name, args }) => [name, args.name]),
    [
      ["tool_describe", "read_file"],
      ["tool_describe", "send_mail"],
    ],
  );
  const forwarded = { name: "tool_call", args: { name: "read_file", arguments: { a: 1 } } };
  assert.deepEqual(describe.call("read_file", { a: 1 }), forwarded);
});

/** What a model does, one word a request, where `answer` says what comes of its calls and `sent` which tools it has. */
function acts(way, turn, answer, sent = () => false) {
  const model = new Model(way, new Map());
  model.begin({ needs: [], ...turn });
  const done = [];
  for (let does; does !== "answer"; ) {
    const move = model.next(sent);
    ({ does } = move);
    done.push(does);
    assert.ok(done.length < 20, "it comes to an end");
    if (does !== "answer")
      model.hear(
        does,
        move.calls.map((call) => answer(call, does)),
      );
  }
  return [done.join(" "), model.lost];
}

test("what a model does next", () => {
  const bridge = wayIn("bridge");
  const one = { needs: NEEDS.slice(0, 1) };
  const found = ({ args }, does) => {
    if (does === "call") return { content: "ok", ran: true };
    return { content: `{"query":"${args.query}","matches":[{"name":"read_file"}]}` };
  };
  assert.deepEqual(acts(bridge, one, found), ["search load call answer", 0]);
  assert.deepEqual(
    acts(NO_WAY, one, found, () => true),
    ["call answer", 0],
  );
  assert.deepEqual(acts(bridge, { miss: "tulips" }, found), ["search answer", 0]);
  assert.deepEqual(acts(NO_WAY, { miss: "tulips" }, found), ["answer", 0]);
  // Asking for a name is not being shown it, and neither is a longer name.
  const nothing = ({ args }) => ({ content: `{"query":"${args.query}","matches":[{"name":"read_file_2"}]}` });
  assert.deepEqual(acts(bridge, one, nothing), ["search search answer", 1]);
  // Of two needs the one that was found is called, and the other one looked for once more.
  assert.deepEqual(acts(bridge, { needs: NEEDS }, found), ["search search load call answer", 1]);
  const refused = (call, does) => (does === "call" ? { content: "not loaded", ran: false } : found(call, does));
  assert.deepEqual(acts(bridge, one, refused), ["search load call answer", 1]);
  // Shown as a line of text.
  const lines = { content: "Not loaded:\n- read_file(path): Reads a file." };
  assert.deepEqual(
    acts(wayIn("sift"), one, () => lines),
    ["search load search answer", 1],
  );
});

test("every profile gets to every tool", () => {
  const { tools, runs } = converseAbout(OFFICE);
  assert.equal(tools, 60);
  assert.deepEqual(runs.length, FORMATS.length * playersOf(ToolSift).length);
  for (const { profile, format, lost, turns, requests, total } of runs) {
    assert.equal(lost, 0, `${profile} ${format}`);
    assert.equal(turns.length, TURNS.length);
    assert.deepEqual([requests[0].cached, requests[0].previous, requests.at(-1).does], [0, 0, "answer"]);
    assert.equal(
      turns.reduce((sum, turn) => sum + turn.requests, 0),
      total.requests,
    );
    for (const row of requests) assert.equal(row.cached + row.fresh, row.tokens);
  }
  for (const { profile, requests, saved, total } of runs.filter(({ profile }) => profile === FULL)) {
    // Nine turns call and answer, one only answers.
    assert.deepEqual([profile, requests.length, saved], [FULL, 19, 0]);
    // Everything stays but the two brackets behind the messages.
    for (const { previous, prefix } of requests.slice(1)) assert.equal(previous - prefix, 2);
    assert.ok(total.kept > 0.999 && total.kept < 1);
  }
});

test("a reveal", () => {
  const { runs } = converseAbout(OFFICE, ToolSift, ["openai"]);
  const sift = runs.find(({ profile }) => profile === "sift");
  const [search, call, answer] = sift.requests;
  assert.deepEqual([search.does, call.does, answer.does], ["search", "call", "answer"]);
  const fresh = new ToolSift({ activation: "on", deferral: "opt-out" });
  for (const { server, tools } of OFFICE) fresh.register(tools, { server, names: "alias" });
  const { tools } = fresh.session("s").assemble({ format: "openai" });
  // {"tools":[ and the discovery tools, up to the bracket.
  assert.equal(call.prefix, JSON.stringify({ tools }).length - "]}".length);
  assert.ok(call.prefix < search.bytes / 1.5, "the prompt and the message behind it are new");
  assert.equal(answer.prefix, answer.previous - 2);
  assert.deepEqual(
    sift.requests.flatMap(({ changed }) => changed),
    [],
  );
  fresh.dispose();

  const of = (name) => runs.find(({ profile }) => profile === name).total;
  assert.deepEqual(of("stub").changed, ["tools"]);
  assert.ok(of("bridge").again < of("sift").again && of("sift").again < of("stub").again);
});

/** The package with sessions whose requests are changed on their way. */
function broken(change) {
  return class extends ToolSift {
    session(...args) {
      const session = super.session(...args);
      const assemble = session.assemble.bind(session);
      session.assemble = (options) => change(assemble(options));
      return session;
    }
  };
}

test("an eviction", () => {
  const asked = { format: "anthropic", rates: RATES, written: false };
  const [never, once, always] = evictions(ToolSift, OFFICE, asked);
  const { runs } = converseAbout(OFFICE, ToolSift, ["anthropic"]);
  assert.deepEqual(never.total, runs.find(({ profile }) => profile === "sift").total);
  assert.deepEqual([never.saved, never.evicted.flat()], [0, []]);

  // Up to the eviction nothing is different.
  const count = never.requests.findIndex(({ turn }) => turn === 5);
  assert.deepEqual(once.requests.slice(0, count), never.requests.slice(0, count));
  assert.deepEqual(
    once.evicted.map((names) => names.length > 0),
    never.turns.map((_, turn) => turn === 5),
  );
  const [before, after] = [never.requests[count], once.requests[count]];
  // Not even the tools are kept as a whole, and what stood behind them was cached before.
  assert.deepEqual([before.changed, after.changed], [[], ["tools"]]);
  assert.equal(before.prefix, before.previous - 2);
  assert.ok(after.prefix < before.prefix / 2 && after.bytes < before.bytes && after.price > before.price);
  assert.ok(always.evicted.flat().length > LEFT && once.total.again > never.total.again);
  for (const { total, saved } of [once, always]) {
    assert.ok(Math.abs(saved - (1 - total.price / never.total.price)) < 1e-9);
  }
  assert.deepEqual(evictions(ToolSift, [{ server: "odd", tools: [1] }], asked), []);
});

test("what a model does not get to call is told", () => {
  class Deaf extends ToolSift {
    session() {
      const session = super.session("s");
      const call = session.call.bind(session);
      const deaf = { kind: "result", content: "No tool matches." };
      session.call = (name, args) => (name === "search_tools" ? deaf : call(name, args));
      return session;
    }
  }
  const { runs } = converseAbout(KITCHEN, Deaf, ["google"]);
  const lost = Object.fromEntries(runs.map((run) => [run.profile, run.lost]));
  // Ten calls are needed in the ten turns.
  assert.deepEqual(lost, {
    full: 0,
    sift: 10,
    "search-add": 10,
    select: 0,
    "select-load": 0,
    stub: 0,
    bridge: 0,
    constant: 10,
  });
});

test("a promise that is broken is found out", () => {
  const check = (of) => checkAppends([{ catalog: "kitchen", ...converseAbout(KITCHEN, of) }]);
  check(ToolSift);
  const backwards = broken((assembly) => ({ ...assembly, tools: [...assembly.tools].reverse() }));
  const where = /sift must append only, but request 2 \(turn 1\) of kitchen in anthropic .*: tools$/;
  assert.throws(() => check(backwards), where);
  let count = 0;
  const chatty = broken((assembly) => ({ ...assembly, systemPrompt: `${(count += 1)}` }));
  assert.throws(() => check(chatty), /request 2 .* system$/);
});

test("scripts", () => {
  const tool = (server, originalName, description = "") => {
    return { server, originalName, name: `${server}_${originalName}`, description };
  };
  const captured = [
    tool("filesystem", "read_text_file"),
    tool("github", "create_issue"),
    tool("slack", "slack_list_channels"),
    tool("slack", "slack_post_message"),
    tool("cloudflare", "d1_query"),
    tool("memory", "create_entities"),
  ];
  const written = scriptFor(captured, { written: true });
  assert.equal(written.written, true);
  assert.deepEqual(
    written.turns[3].needs.map(({ name }) => name),
    ["slack_slack_list_channels", "slack_slack_post_message"],
  );
  assert.deepEqual(
    written.turns.map(({ kind }) => kind),
    TURNS.map(({ kind }) => kind),
  );
  // One server did not start, or has other tools: what there is is asked for.
  assert.equal(scriptFor(captured.slice(1), { written: true }).written, false);
  assert.equal(scriptFor(captured, { written: false }).written, false);

  const texts = ["Get -all /items/: +fast. More.", "", "漢字".repeat(60)];
  const { turns } = scriptFor(
    texts.map((text, at) => tool("s", `do_thing_${at}`, text)),
    { written: false },
  );
  const words = turns.flatMap(({ needs }) => needs.map((need) => need.words));
  for (const text of ["Get all items fast", "do thing 1", "漢字".repeat(40)]) assert.ok(words.includes(text), `${words}`);
  assert.deepEqual(turns[0].needs[0].pattern, "thing.*0");
  assert.deepEqual(turns[5], { user: `Please do this for me: ${MISS}.`, kind: "miss", needs: [], miss: MISS });
  // Of one tool alone, two are one.
  assert.equal(scriptFor([tool("s", "only")], { written: false }).turns[3].needs.length, 1);
});

test("arguments", () => {
  const text = "what the user said";
  const schema = {
    properties: {
      a: { type: "string" },
      b: { type: ["integer", "null"] },
      c: { enum: ["x", "y"] },
      d: { type: "array", items: { type: "object", properties: { e: { const: 0 } }, required: ["e"] } },
      f: { type: "boolean" },
      left: { type: "string" },
    },
    required: ["a", "b", "c", "d", "f", "undeclared"],
  };
  assert.deepEqual(argumentsFor(schema), { a: text, b: 7, c: "x", d: [{ e: 0 }], f: true, undeclared: text });
  const odd = [undefined, {}, { required: "a" }, { required: [1] }, { properties: null }];
  for (const one of odd) assert.deepEqual(argumentsFor(one), {});
  let deep = { type: "string" };
  for (let at = 0; at < 50; at += 1) deep = { type: "object", properties: { a: deep }, required: ["a"] };
  assert.equal(JSON.stringify(argumentsFor(deep)), '{"a":{"a":{"a":{"a":{}}}}}');
});

test("players", () => {
  assert.deepEqual(
    playersOf(ToolSift).map(({ name }) => name),
    [FULL, ...ToolSift.profiles().map(({ name }) => name), CONSTANT],
  );
  assert.equal(converseAbout([{ server: "odd", tools: [1, {}] }]), null);
});
