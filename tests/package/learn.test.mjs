/**
 * Does a learner learn the right words, and only these?
 *
 * 1. A call is credited to the latest search of its session that showed the tool, and to the searches right before that one,
 *    which missed it; a call without a search, a call that failed and a search that led nowhere teach nothing.
 * 2. A word needs several sessions, however loud one is; words of the definition, words that chance explains, and words that
 *    lead to siblings as well are left out.
 * 3. Numbers, addresses, ids, paths, quoted texts, names and secrets are neither exported nor kept; what `redact` removes is
 *    not read.
 * 4. What is kept is bounded, whatever comes, and half of it is left after the half-life.
 * 5. A snapshot is plain JSON that restores everything; several are added up; a hostile one is refused with its place.
 * 6. The host is never thrown at by `onEvent`, and options are checked by name, type and range.
 * 7. Events of the loop and of the gateway hold what is needed, and what is exported is taken by `register`.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { valuesOf } from "../cli/command-line.mjs";
import { entry } from "./installed.mjs";

const { learner } = await entry("author.js");
const { runTools, ToolSift } = await entry("index.js");

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const tool = (name, description, server = "s") => ({ name, description, server });
const WEATHER = tool("get_forecast", "Get the weather forecast of a place.");
const MAIL = tool("send_mail", "Send a message to somebody.");
const TOOLS = [
  WEATHER,
  MAIL,
  tool("list_files", "List the files of a folder."),
  tool("add_event", "Add an event to a calendar."),
];

const search = (session, query, revealed, step = 1) => ({ type: "search", session, step, query, revealed, found: revealed });
const call = (session, name, { step = 2, isError = false, server = "s" } = {}) => {
  return { type: "dispatch", session, step, tool: name, name, server, isError };
};

/** A session that searches once and calls what it was shown. */
const led = (session, query, name) => [search(session, query, [name]), call(session, name)];
/** Sessions that use the other tools, so that a word can be compared with what others are asked. */
const OTHERS = Array.from({ length: 12 }, (_, at) => {
  const names = ["send_mail", "list_files", "add_event"];
  return led(`other ${at}`, "write a letter with pictures", names[at % 3]);
}).flat();

const taught = (events, options = {}) => {
  const learned = learner(options);
  for (const event of [...OTHERS, ...events]) learned.onEvent(event);
  return learned;
};
const keywordsOf = (learned, name = "get_forecast", options = {}) =>
  learned.export({ tools: TOOLS, ...options }).find((one) => one.name === name)?.keywords ?? [];
/** Everything that is kept, as text. */
const keptBy = (learned) => JSON.stringify(learned.snapshot());

test("a call is credited to the latest search that showed the tool", () => {
  const twice = (events) => keywordsOf(taught(["a", "b"].flatMap(events)));
  assert.deepEqual(
    twice((id) => led(id, "need an umbrella", "get_forecast")),
    ["umbrella"],
  );

  const later = twice((id) => [
    search(id, "umbrella", ["get_forecast"], 1),
    search(id, "sunscreen", ["get_forecast"], 2),
    call(id, "get_forecast", { step: 3 }),
  ]);
  assert.deepEqual(later, ["sunscreen"], "both showed it, the later one led to the call");

  const other = twice((id) => [
    search(id, "umbrella", ["get_forecast"], 1),
    search(id, "stationery", ["send_mail"], 2),
    call(id, "get_forecast", { step: 3 }),
  ]);
  assert.deepEqual(other, ["umbrella"], "the latest search showed something else");

  const added = twice((id) => [
    search(id, "umbrella", ["send_mail"], 1),
    { type: "search", session: id, step: 2, query: null, revealed: ["get_forecast"], found: [] },
    call(id, "get_forecast", { step: 3 }),
  ]);
  assert.deepEqual(added, ["umbrella"], "a tool that was loaded by its name after the search");
});

test("the words that missed a tool count more than those that found it", () => {
  const events = ["a", "b"].flatMap((id) => [
    search(id, "umbrella", ["send_mail"], 1),
    search(id, "sunscreen", ["get_forecast"], 2),
    call(id, "get_forecast", { step: 3 }),
  ]);
  const [{ evidence }] = taught(events).export({ tools: [WEATHER] });
  assert.deepEqual(evidence, [
    { keyword: "umbrella", sessions: 2, missed: 2, weight: 4, tools: 1 },
    { keyword: "sunscreen", sessions: 2, missed: 0, weight: 2, tools: 1 },
  ]);
});

test("what teaches nothing", () => {
  const cases = {
    "a call without a search": (id) => [call(id, "get_forecast")],
    "a call that failed": (id) => [search(id, "umbrella", ["get_forecast"]), call(id, "get_forecast", { isError: true })],
    "a search that led nowhere": (id) => [search(id, "umbrella", ["get_forecast"])],
    "a tool that no search showed": (id) => [search(id, "umbrella", ["send_mail"]), call(id, "get_forecast")],
    "a call of the same reply": (id) => [search(id, "umbrella", ["get_forecast"], 2), call(id, "get_forecast")],
    "another session's search": (id) => [search(`${id}'`, "umbrella", ["get_forecast"]), call(id, "get_forecast")],
    "exact names": (id) => [search(id, "select:umbrella", ["get_forecast"]), call(id, "get_forecast")],
    "a search that was answered before another one began": (id) => [
      search(id, "umbrella", ["send_mail"], 1),
      call(id, "send_mail", { step: 2 }),
      search(id, "weather forecast", ["get_forecast"], 3),
      call(id, "get_forecast", { step: 4 }),
    ],
  };
  for (const [what, events] of Object.entries(cases)) {
    assert.deepEqual(keywordsOf(taught(["a", "b", "c"].flatMap(events))), [], what);
  }
  let now = 0;
  const learned = learner({ now: () => now });
  for (const id of ["a", "b", "c"]) {
    learned.onEvent(search(id, "umbrella", ["get_forecast"]));
    now += HOUR;
    learned.onEvent(call(id, "get_forecast"));
  }
  assert.deepEqual(keywordsOf(learned), [], "a search of an hour ago");
});

test("one session, however loud, is one", () => {
  const loud = Array.from({ length: 500 }, () => led("attacker", "umbrella", "get_forecast")).flat();
  assert.deepEqual(keywordsOf(taught(loud)), []);
  const [{ evidence }] = taught([...loud, ...led("b", "umbrella", "get_forecast")]).export({ tools: [WEATHER] });
  assert.deepEqual([evidence[0].sessions, evidence[0].weight], [2, 2], "nor does it weigh more");
  const three = [...led("b", "umbrella", "get_forecast"), ...led("c", "umbrella", "get_forecast")];
  assert.deepEqual(keywordsOf(taught(three, { minSupport: 3 })), []);
  assert.deepEqual(keywordsOf(taught([...loud, ...three], { minSupport: 3 })), ["umbrella"]);
  assert.deepEqual(keywordsOf(taught(led("a", "umbrella", "get_forecast"), { minSupport: 1 })), []);
});

test("words of the definition, and words that lead anywhere, are left out", () => {
  const query = "weather forecasts for a picnic letter with pictures";
  const events = ["a", "b", "c"].flatMap((id) => led(id, query, "get_forecast"));
  assert.deepEqual(keywordsOf(taught(events)), ["picnic", "picnic letter"]);
  const plural = [...led("a", "umbrellas", "get_forecast"), ...led("b", "umbrella", "get_forecast")];
  assert.deepEqual(keywordsOf(taught(plural)), ["umbrellas"], "two forms are one word, as it was written first");

  const parameters = { type: "object", properties: { umbrellaSize: { type: "string", description: "How wide" } } };
  const learned = taught(["a", "b"].flatMap((id) => led(id, "wide umbrella", "get_forecast")));
  assert.deepEqual(learned.export({ tools: [{ ...WEATHER, parameters }] }), [], "parameters are of the definition too");

  const siblings = ["a", "b"].flatMap((id) =>
    ["get_forecast", "add_event", "list_files"].flatMap((name) => led(`${id} ${name}`, "umbrella", name)),
  );
  assert.deepEqual(keywordsOf(taught(siblings)), [], "it does not tell siblings apart");
});

test("some calls of the wrong tool teach nothing", () => {
  const right = Array.from({ length: 40 }, (_, at) => led(`right ${at}`, "umbrella", "get_forecast")).flat();
  const wrong = Array.from({ length: 10 }, (_, at) => led(`wrong ${at}`, "umbrella", TOOLS[1 + (at % 3)].name)).flat();
  const learned = taught([...right, ...wrong]);
  const exported = learned.export({ tools: TOOLS });
  assert.deepEqual(valuesOf(exported, "name"), ["get_forecast"]);
  assert.deepEqual(learned.export({ tools: [{ functionDeclarations: TOOLS }] }), exported, "Google's shape");
});

test("what is private is not kept", () => {
  const PRIVATE = {
    "mail ada.lovelace@example.com umbrella": /lovelace|example/i,
    "umbrella https://intranet.corp/secretpage and www.corp.com": /intranet|secretpage|corp/i,
    "umbrella for order 4711 and a1b2c3d4e5": /4711|b2c3/i,
    "umbrella in /home/ada/diary.txt and C:\\Users\\ada and ~/private": /home|diary|users|private/i,
    'umbrella "my darling clementine" and “geheim” and «entre nous»': /darling|geheim|entre/i,
    "umbrella 'the crown jewels' and `rm everything` and \"unfinished business": /crown|jewels|everything|unfinished/i,
    "umbrella <customer name> {account} [diagnosis]": /customer|account|diagnosis/i,
    "umbrella for Grace Hopper in Arlington": /grace|hopper|arlington/i,
    "umbrella, my password is swordfish forever": /swordfish|forever/i,
    "umbrella with token abrakadabra or key simsalabim": /abrakadabra|simsalabim/i,
    "umbrella sk-livexyzabcdef ghp_abcdefgh AKIAIOSFODNNEXAMPLE eyJhbGciOiJIUzI": /live|ghp|akia|eyj/i,
    "umbrella xkqzwvbtrpl #channelname @handle --flagname name=value": /xkqz|channelname|handle|flagname|value/i,
    "umbrella file called confession": /confession/i,
    "umbrella 19.11.2026 +49 170 1234567 DE89370400440532013000": /\d\d|DE89/i,
    "umbrella pneumonoultramicroscopicsilicovolcanoconiosis": /pneumono/i,
  };
  for (const [query, hidden] of Object.entries(PRIVATE)) {
    const learned = taught(["a", "b", "c"].flatMap((id) => led(id, query, "get_forecast")));
    assert.ok(keywordsOf(learned).includes("umbrella"), query);
    const { tools } = learned.snapshot();
    const words = tools
      .find(({ name }) => name === "get_forecast")
      .terms.map(([text]) => text)
      .join(" ");
    assert.doesNotMatch(words, hidden, query);
    assert.doesNotMatch(keywordsOf(learned).join(" "), hidden, query);
  }
  const german = ["a", "b"].flatMap((id) => led(id, "brauche ich einen Regenschirm", "get_forecast"));
  assert.ok(!keywordsOf(taught(german)).includes("regenschirm"));
  assert.ok(keywordsOf(taught(german, { capitalised: true })).includes("regenschirm"));
  const japanese = ["a", "b"].flatMap((id) => led(id, "明日は傘が必要ですか", "get_forecast"));
  assert.ok(keywordsOf(taught(japanese)).some((word) => word.includes("傘")));
  const secret = taught(["chat-with-ada", "chat-with-ben"].flatMap((id) => led(id, "umbrella", "get_forecast")));
  assert.doesNotMatch(keptBy(secret), /chat|ada|ben/, "ids of sessions");
});

test("what the host redacts is not read", () => {
  const asked = [];
  const redact = (query) => {
    asked.push(query);
    if (query.includes("throw")) throw new Error("broken");
    return query.includes("drop") ? null : query.replace("darling", "");
  };
  const events = ["a", "b"].flatMap((id) => [
    ...led(`${id}1`, "umbrella darling", "get_forecast"),
    ...led(`${id}2`, "drop sunscreen", "get_forecast"),
    ...led(`${id}3`, "throw raincoat", "get_forecast"),
  ]);
  const learned = taught(events, { redact });
  assert.deepEqual(keywordsOf(learned), ["umbrella"]);
  assert.doesNotMatch(keptBy(learned), /darling|sunscreen|raincoat/);
  assert.equal(asked.length, OTHERS.length / 2 + 6);
});

test("100,000 events of every kind stay within the bounds", () => {
  const word = (number) => [...String(number)].map((digit) => "abcdefghij"[digit]).join("");
  const learned = learner({ maxTools: 50, maxTermsPerTool: 20, maxSessions: 100 });
  for (let at = 0; at < 50_000; at++) {
    const id = `session ${at % 7_000}`;
    const name = `tool_${at % 300}`;
    learned.onEvent(search(id, `waga${word(at)} bego${word(at % 977)} ${"moru".repeat(3)}`, [name]));
    learned.onEvent(call(id, name));
  }
  const { tools } = learned.snapshot();
  assert.equal(tools.length, 50);
  assert.ok(tools.every(({ terms }) => terms.length <= 20));
  assert.ok(tools.every(({ terms }) => terms.every(([, , sessions, missed]) => sessions.length <= 8 && missed.length <= 8)));
  assert.ok(keptBy(learned).length < 50 * 20 * 150);
  const long = learner();
  long.onEvent(
    search(
      "a",
      "wort ".repeat(1_000_000),
      Array.from({ length: 100_000 }, (_, at) => `t${at}`),
    ),
  );
  long.onEvent(call("a", "t1"));
  assert.ok(keptBy(long).length < 400);
  // One session teaches so many words, and no more.
  const talker = learner({ maxTermsPerTool: 512 });
  for (let at = 0; at < 2_000; at++) for (const event of led("a", `waga${word(at)}`, "get_forecast")) talker.onEvent(event);
  assert.equal(talker.snapshot().tools[0].terms.length, 256);
});

test("half is left after the half-life", () => {
  let now = 0;
  const learned = learner({ halfLifeDays: 10, now: () => now });
  // The more is known of other tools, the less is left to chance.
  const others = Array.from({ length: 200 }, (_, at) =>
    led(`other ${at}`, "write a letter", TOOLS[1 + (at % 3)].name),
  ).flat();
  for (const event of [...others, ...["a", "b"].flatMap((id) => led(id, "umbrella", "get_forecast"))])
    learned.onEvent(event);
  const weight = () => learned.export({ tools: [WEATHER] })[0]?.evidence[0].weight;
  assert.equal(weight(), 2);
  now = 5 * DAY;
  assert.equal(weight(), 1.41);
  now = 9.5 * DAY;
  assert.equal(weight(), 1.04);
  now = 3 * DAY;
  assert.equal(weight(), 1.04, "a clock that goes back");
  now = 11 * DAY;
  assert.equal(weight(), undefined, "less than half of what was needed");
  for (const event of led("c", "umbrella", "get_forecast")) learned.onEvent(event);
  assert.ok(weight() > 1.9 && weight() < 2, "a third session brings it back");
  now = 200 * DAY;
  assert.deepEqual(learned.snapshot().tools, [], "what has faded away is forgotten");
});

test("a snapshot restores everything, and several are added up", () => {
  const now = () => 1_000 * HOUR;
  const one = taught(
    ["a", "b"].flatMap((id) => led(id, "umbrella", "get_forecast")),
    { now },
  );
  const two = learner({ now });
  for (const event of ["b", "c"].flatMap((id) => led(id, "umbrella", "get_forecast"))) two.onEvent(event);
  const kept = JSON.parse(keptBy(one));
  assert.deepEqual(kept, one.snapshot());
  assert.deepEqual(learner({ previous: kept, now }).snapshot(), kept);
  assert.deepEqual(learner({ previous: kept, now }).export({ tools: TOOLS }), one.export({ tools: TOOLS }));
  const both = learner({ now });
  both.restore([one.snapshot(), two.snapshot()]);
  const [{ evidence }] = both.export({ tools: [WEATHER] });
  const expected = [{ keyword: "umbrella", sessions: 3, missed: 0, weight: 4, tools: 1 }];
  assert.deepEqual(evidence, expected, "session b is one session");
  const later = learner({ previous: kept, halfLifeDays: 10, now: () => 1_000 * HOUR + 10 * DAY });
  const { weight } = later.snapshot().tools.find(({ name }) => name === "get_forecast");
  assert.equal(weight, 1, "time passes between processes");
  const ahead = learner({ previous: { ...kept, tools: kept.tools.map((tool) => ({ ...tool, hour: 9_000_000 })) }, now });
  assert.equal(ahead.snapshot().tools[0].hour, 1_000, "a clock that was ahead");

  const { server: _, ...bare } = WEATHER;
  const [of] = both.export({ tools: [bare] });
  assert.deepEqual([of.server, of.keywords], ["s", ["umbrella"]], "the only server with a tool of that name");
  for (const id of ["a", "b"]) {
    both.onEvent(search(id, "umbrella", ["get_forecast"]));
    both.onEvent(call(id, "get_forecast", { server: "t" }));
  }
  assert.deepEqual(both.export({ tools: [bare] }), [], "two servers have one");

  one.forget({ tool: "get_forecast" });
  assert.doesNotMatch(keptBy(one), /umbrella/);
  assert.match(keptBy(one), /letter/);
  one.forget({ server: "s" });
  assert.deepEqual(one.snapshot().tools, []);
  two.onEvent(search("d", "sunscreen", ["get_forecast"]));
  two.forget({ session: "d" });
  two.onEvent(call("d", "get_forecast"));
  assert.doesNotMatch(keptBy(two), /sunscreen/);
  two.forget();
  assert.deepEqual(two.snapshot(), { toolsift: "learned", version: 1, tools: [] });
});

/** What must be an error of a code, whose message matches. */
const refused = (work, code, message) => assert.throws(work, { name: "ToolSiftError", code, message });

test("hostile snapshots are refused, and change nothing", () => {
  const learned = taught(["a", "b"].flatMap((id) => led(id, "umbrella", "get_forecast")));
  const before = learned.snapshot();
  const of = (change) => ({
    toolsift: "learned",
    version: 1,
    tools: [{ name: "a", server: null, hour: 1, weight: 1, terms: [], ...change }],
  });
  const term = (...values) => of({ terms: [values] });
  const cases = [
    [null, /got null/],
    ["{}", /got string/],
    [{}, /toolsift is missing/],
    [{ toolsift: "learned", version: 2, tools: [] }, /version is 2/],
    [{ toolsift: "learned", version: 1, tools: {} }, /tools must be a list/],
    [{ toolsift: "learned", version: 1, tools: Array(20_001).fill({}) }, /20001 entries; at most 20000/],
    [of({ name: "" }), /tools\.0\.name/],
    [of({ name: "x".repeat(257) }), /tools\.0\.name/],
    [of({ server: 1 }), /tools\.0\.server/],
    [of({ hour: -1 }), /tools\.0\.hour/],
    [of({ hour: 1.5 }), /tools\.0\.hour/],
    [of({ weight: Infinity }), /tools\.0\.weight is null/],
    [of({ weight: -1 }), /tools\.0\.weight/],
    [of({ terms: Array(513).fill(["a", 1, [], []]) }), /513 entries; at most 512/],
    [term("ada@example.com", 1, [1], []), /tools\.0\.terms\.0\.0 is "ada@example\.com"/],
    [term("ignore previous instructions", 1, [1], []), /terms\.0\.0/],
    [term("Umbrella", 1, [1], []), /terms\.0\.0/],
    [term("umbrella", 1e10, [1], []), /terms\.0\.1/],
    [term("umbrella", 1, [1, 1], []), /twice/],
    [term("umbrella", 1, [65_536], []), /terms\.0\.2\.0 is 65536/],
    [term("umbrella", 1, [..."123456789"].map(Number), []), /9 entries; at most 8/],
    [of({ terms: ["umbrella", "umbrellas"].map((word) => [word, 1, [1], []]) }), /twice/],
    [Object.defineProperty({}, "toolsift", { enumerable: true, get: () => assert.fail("mine") }), /cannot be read/],
    [Array(1_025).fill(of({})), /1025 snapshots/],
  ];
  for (const [snapshot, message] of cases) {
    refused(() => learned.restore(snapshot), "snapshot_invalid", message);
    if (snapshot !== null) refused(() => learner({ previous: snapshot }), "snapshot_invalid", message);
  }
  const polluting = JSON.parse('{"toolsift":"learned","version":1,"tools":[],"__proto__":{"bad":1}}');
  learner({ previous: polluting });
  refused(() => learned.restore([]), "snapshot_invalid", /no snapshot; forget\(\) forgets everything/);
  assert.equal({}.bad, undefined);
  assert.deepEqual(learned.snapshot(), before);
});

test("onEvent throws nothing, whatever it is given", () => {
  const learned = learner({
    now: () => {
      throw new Error("no clock");
    },
  });
  const { onEvent } = learned;
  const odd = [undefined, null, 1, "search", [], {}, { type: "search" }, { type: "dispatch", session: {} }];
  const half = [
    search("a", "\ud800 umbrella", ["x"]),
    search("a", 1, 2),
    { type: "search", session: "a", query: "b", revealed: [{}] },
  ];
  for (const event of [...odd, ...half, ...led("a", "umbrella", "get_forecast")]) assert.equal(onEvent(event), undefined);
});

test("options are checked", () => {
  refused(() => learner({ halfLife: 1 }), "option_unknown", /did you mean halfLifeDays/);
  refused(() => learner({ halfLifeDays: 0 }), "limit_out_of_range", /1 to 3650/);
  refused(() => learner({ minSupport: 9 }), "limit_out_of_range", /options\.minSupport is 9; 1 to 8/);
  refused(() => learner({ maxTools: 1.5 }), "option_invalid", /whole number/);
  refused(() => learner({ maxTermsPerTool: "1" }), "option_invalid", /maxTermsPerTool/);
  refused(() => learner({ maxSessions: 0 }), "limit_out_of_range", /maxSessions/);
  refused(() => learner({ redact: "x" }), "option_invalid", /redact/);
  refused(() => learner({ capitalised: 1 }), "option_invalid", /capitalised/);
  refused(() => learner({ now: 1 }), "option_invalid", /now/);
  const learned = learner();
  refused(() => learned.export({}), "not_json", /tools must be a list/);
  refused(() => learned.export({ tools: [1] }), "option_invalid", /options\.tools\.0 must be a tool/);
  refused(() => learned.export({ tools: [{ description: "x" }] }), "option_invalid", /no name/);
  refused(() => learned.export({ tools: [], maxKeywords: 129 }), "limit_out_of_range", /1 to 128/);
  refused(() => learned.export({ tools: [], server: 1 }), "option_invalid", /options\.server/);
  refused(() => learned.forget({ tools: "x" }), "option_unknown", /did you mean tool/);
});

test("from the loop to the catalog and back", async () => {
  const tools = [WEATHER, MAIL, ...Array.from({ length: 30 }, (_, at) => tool(`noise_${at}`, `Does thing number ${at}.`))];
  const learned = learner();
  const sift = new ToolSift({ activation: "on" });
  sift.register(tools);
  assert.deepEqual(sift.search("umbrella").hits, []);
  for (const id of ["a", "b", "c"]) {
    const said = [
      [{ name: "search_tools", args: { query: "will I need my umbrella" } }],
      [{ name: "search_tools", args: { query: "weather forecast" } }],
      [{ name: "get_forecast", args: {} }],
    ];
    const events = [];
    const send = ({ step }) => ({ calls: said[step - 1] ?? [] });
    const onEvent = (event) => {
      events.push(event);
      learned.onEvent(event);
    };
    await runTools(sift.session(id), { send, execute: () => "rain", onEvent });
    assert.deepEqual(
      valuesOf(
        events.filter(({ type }) => type === "search"),
        "found",
      ),
      [[], ["get_forecast"]],
    );
  }
  for (const list of [tools, sift.tools()]) {
    const enrichment = learned.export({ tools: list });
    const [{ name, server, keywords }, ...others] = enrichment;
    assert.deepEqual([name, server, keywords, others], ["get_forecast", "s", ["umbrella"], []]);
    const better = new ToolSift();
    assert.deepEqual(better.register(tools, { enrichment }).enrichment, { enriched: 1, aged: [], stale: [] });
    assert.equal(better.search("umbrella").hits[0].name, "get_forecast");
    const changed = new ToolSift().register([{ ...WEATHER, description: "Another" }], { enrichment });
    assert.deepEqual(changed.enrichment.stale, ["get_forecast"], "the hash is that of the definition");
  }
  const bare = tools.map(({ server: _, ...definition }) => definition);
  assert.deepEqual(valuesOf(learned.export({ tools: bare }), "server"), ["s"], "the only server with such a tool");
  assert.equal(learned.export({ tools: bare, server: "s" }).length, 1);
  const odd = tool("odd", "  Ünïcode\u00a0and\n\nwhite\u0085space\u2003 \ufeffhere ".repeat(20));
  for (const event of [...OTHERS, ...["a", "b"].flatMap((id) => led(id, "parasol", "odd"))]) learned.onEvent(event);
  assert.deepEqual(new ToolSift().register([odd], { enrichment: learned.export({ tools: [odd] }) }).enrichment, {
    enriched: 1,
    aged: [],
    stale: [],
  });
});

test("events of the gateway", () => {
  const events = ["a", "b"].flatMap((session) => [
    { type: "search", session, query: "umbrella", found: ["s__get_forecast"], shown: [], ms: 1 },
    { type: "describe", session, names: ["s__get_forecast"] },
    { type: "call", session, server: "s", tool: "get_forecast", name: "s__get_forecast", ms: 1, outcome: "ok" },
  ]);
  assert.deepEqual(keywordsOf(taught(events)), ["umbrella"]);
  for (const change of [{ outcome: "error" }, { outcome: "refused" }, { session: undefined }]) {
    const changed = events.map((event) => (event.type === "call" ? { ...event, ...change } : event));
    assert.deepEqual(keywordsOf(taught(changed)), []);
  }
});
