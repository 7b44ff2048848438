/**
 * What if a host brings an embedding model, through the installed package?
 *
 * 1. A tool without a word in common is found; the confidence rests on words, so nothing is loaded for it; exact names stay
 *    first. Scores of tools that the session may not see change nothing, and say nothing of them.
 * 2. Each text is embedded once, in batches, also where many first searches need it at once; after `sync` only what changed.
 * 3. Vectors travel behind a prebuilt index, which loads with and without them; another model's and damaged ones are refused.
 * 4. What a model does wrong is told, the words answer alone, and what was known stays.
 * 5. `rerank` is asked where the core is not sure, or always; its names load, its scores reorder, its faults are told.
 * 6. The text that is embedded holds name, description, enrichment and parameters.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { valuesOf } from "../cli/command-line.mjs";
import { entry } from "./installed.mjs";

const { ToolSift, runTools } = await entry("index.js");
const { embeddings } = await entry("embed.js");

/** What a model knows: the words of each direction. */
const MEANINGS = [
  ["forecast", "rain", "umbrella", "wet"],
  ["mail", "send", "letter", "post"],
  ["ticket", "bug", "defect", "broken"],
];
const vectorOf = (text) => [...MEANINGS.map((words) => words.filter((word) => text.includes(word)).length), 0.05];

/** A model that notes what it is asked. */
function modelOf(answer = (texts) => texts.map(vectorOf)) {
  const asked = { tool: [], query: [], batches: [] };
  const embed = async (texts, { kind, signal }) => {
    assert.ok(signal instanceof AbortSignal);
    asked[kind].push(...texts);
    if (kind === "tool") asked.batches.push(texts.length);
    return answer(texts, { kind, signal });
  };
  return { asked, embed };
}

const tool = (name, description, more) => ({ name, description, inputSchema: { type: "object" }, ...more });
const TOOLS = [
  tool("get_forecast", "Tells the forecast for a city."),
  tool("send_mail", "Sends a mail."),
  tool("open_ticket", "Opens a ticket."),
  tool("list_files", "Lists the files of a folder."),
];

function siftOf(tools = TOOLS, options) {
  const sift = new ToolSift({ activation: "on", ...options });
  sift.register(tools, { server: "s" });
  return sift;
}

const search = (session, query, options) => session.callAsync("search_tools", { query }, options);
const failsWith = (message) => () => {
  throw new Error(message);
};
const failing = (onProblem = []) => ({ problems: onProblem, onProblem: (message) => void onProblem.push(message) });

test("a tool without a word in common is found, and not loaded for that", async () => {
  const sift = siftOf();
  const session = sift.session("chat");
  const rank = embeddings({ model: "toy", embed: modelOf().embed });
  assert.match(session.call("search_tools", { query: "umbrella" }).content, /^No tool matches/);
  const outcome = await search(session, "umbrella", { rank });
  assert.match(outcome.content, /^No tool clearly fits[^]*Not loaded[^]*- get_forecast\(/);
  assert.deepEqual([outcome.revealed, session.revealed], [[], []]);

  const scores = await rank.scores("is it a broken umbrella", sift);
  const { hits, confidence } = sift.search("umbrella", { scores, reasons: true });
  assert.equal(confidence, "none");
  assert.deepEqual(hits.map(({ name }) => name).sort(), ["get_forecast", "open_ticket"]);
  assert.deepEqual(valuesOf(hits[0].parts, "how"), ["host"]);
  const { found, parts } = sift.explain("umbrella", "get_forecast", { scores });
  assert.deepEqual([found, parts[0].contribution], [true, hits.find(({ name }) => name === "get_forecast").score]);
  assert.equal(sift.explain("umbrella", "get_forecast").found, false);
});

test("words and names keep the lead", async () => {
  const sift = siftOf();
  const scores = { get_forecast: 1 };
  const first = (query) => sift.search(query, { scores }).hits.map(({ name }) => name)[0];
  assert.equal(first("send_mail"), "send_mail");
  assert.equal(first("send a mail"), "send_mail");
  assert.deepEqual(valuesOf(sift.search("select:open_ticket", { scores }).hits, "name"), ["open_ticket"]);
  assert.deepEqual(valuesOf(sift.search("+mail umbrella", { scores }).hits, "name"), ["send_mail"]);
  const plain = sift.search("send a mail");
  const scored = sift.search("send a mail", { scores: { send_mail: 1 } });
  assert.equal(scored.overChance, plain.overChance);
  assert.ok(scored.hits[0].score > plain.hits[0].score);
  const session = sift.session("chat");
  assert.deepEqual(session.call("search_tools", { query: "send a mail" }, { scores }).revealed, ["send_mail"]);
});

test("scores of tools that the session may not see change nothing", async () => {
  const sift = siftOf();
  const { asked, embed } = modelOf();
  const rank = embeddings({ model: "toy", embed });
  const scope = { tools: ["send_mail", "list_files"] };
  const session = sift.session("narrow", { scope });
  const { content } = await search(session, "umbrella mail", { rank });
  assert.doesNotMatch(content, /forecast|ticket/);
  assert.equal(asked.tool.length, 2);
  assert.ok(!("get_forecast" in (await rank.scores("umbrella", session))));
  const plain = sift.search("mail", { session: "narrow" });
  assert.deepEqual(sift.search("mail", { session: "narrow", scores: { get_forecast: 1, no_such_tool: 1 } }), plain);
  // A score is measured beside what the session may see.
  const few = siftOf(TOOLS.filter(({ name }) => scope.tools.includes(name)));
  assert.deepEqual(await rank.scores("a letter", session), await rank.scores("a letter", few));
});

test("few tools enter without a word, and the words say what is loaded", () => {
  const sift = siftOf([...TOOLS, ...Array.from({ length: 50 }, (_, at) => tool(`other_${at}`, "Does something else."))]);
  const scores = Object.fromEntries(sift.tools().map(({ name }, at) => [name, 1 - at / 100]));
  const { hits } = sift.search("umbrella", { scores, limit: 100 });
  assert.deepEqual(valuesOf(hits, "name"), valuesOf(sift.tools(), "name").slice(0, 10));
  const { revealed, content } = sift.session("s").call("search_tools", { query: "send a mail" }, { scores });
  assert.deepEqual(revealed, ["send_mail"]);
  assert.match(content, /Not loaded[^]*- get_forecast/);
});

test("scores that cannot be are refused, and nothing changes", () => {
  const sift = siftOf();
  const session = sift.session("chat");
  const refused = (scores, code, words) =>
    assert.throws(() => session.call("search_tools", { query: "mail" }, { scores }), { code, message: words });
  refused({ send_mail: 1.5 }, "limit_out_of_range", /options\.scores\.send_mail/);
  refused({ send_mail: -0.1 }, "limit_out_of_range", /options\.scores\.send_mail/);
  refused({ send_mail: NaN }, "limit_out_of_range", /options\.scores\.send_mail/);
  refused({ send_mail: "1" }, "option_invalid", /options\.scores\.send_mail/);
  refused(["send_mail"], "option_invalid", /options\.scores/);
  assert.deepEqual(session.revealed, []);
  const other = siftOf(TOOLS, { profile: "bridge" });
  assert.throws(() => other.search("mail", { scores: { send_mail: 1 } }), { code: "option_conflict" });
});

test("each text is embedded once, in batches", async () => {
  const tools = Array.from({ length: 25 }, (_, at) => tool(`tool_${at}`, `Does the thing number ${at}.`));
  const sift = siftOf([...tools, ...tools.slice(0, 2).map((one) => ({ ...one, description: "The same." }))]);
  const { asked, embed } = modelOf();
  const rank = embeddings({ model: "toy", embed, batch: 10 });
  const sessions = Array.from({ length: 8 }, (_, at) => sift.session(`s${at}`));
  await Promise.all(sessions.map((session) => search(session, "umbrella", { rank })));
  assert.deepEqual([asked.batches, new Set(asked.tool).size], [[10, 10, 5], 25]);
  assert.deepEqual(rank.size, { vectors: 25, dims: 4, bytes: 25 * 16 });
  assert.equal(await rank.prepare(sift), 0);
  await search(sessions[0], "umbrella", { rank });
  assert.equal(asked.query.filter((query) => query === "umbrella").length <= 8, true);
  const before = asked.query.length;
  await search(sessions[1], "umbrella", { rank });
  assert.equal(asked.query.length, before);
});

test("after sync only what changed is embedded, and own tools of sessions are", async () => {
  const sift = siftOf();
  const { asked, embed } = modelOf();
  const rank = embeddings({ model: "toy", embed });
  assert.equal(await rank.prepare(sift), 4);
  sift.sync("s", [...TOOLS.slice(0, 3), tool("list_files", "Lists wet files.")]);
  await rank.scores("umbrella", sift);
  assert.deepEqual(asked.tool.slice(4), ["s list files\nLists wet files."]);
  const session = sift.session("own");
  session.register([tool("dry_clothes", "Dries what got wet in the rain.")]);
  assert.match((await search(session, "umbrella", { rank })).content, /dry_clothes/);
  assert.equal(asked.tool.length, 6);
  assert.equal("dry_clothes" in (await rank.scores("umbrella", sift)), false);
});

test("queries are kept in bounds", async () => {
  const { asked, embed } = modelOf();
  const rank = embeddings({ model: "toy", embed });
  const sift = siftOf();
  for (let at = 0; at < 300; at++) await rank.scores(`query ${at}`, sift);
  await rank.scores("query 299", sift);
  assert.equal(asked.query.length, 300);
  await rank.scores("query 0", sift);
  assert.equal(asked.query.length, 301);
  await rank.scores("x".repeat(100_000), sift);
  assert.equal(asked.query.at(-1).length, 8_192);
});

test("vectors travel behind a prebuilt index", async () => {
  const sift = siftOf();
  const first = modelOf();
  const made = embeddings({ model: "toy@1", embed: first.embed });
  const index = await made.exportIndex(sift);
  const plain = sift.exportIndex();
  assert.deepEqual(index.subarray(0, plain.length), plain);
  assert.ok(index.length - plain.length < 4 * (4 + 12) + 100);

  const there = ToolSift.fromIndex(index, { activation: "on", contentHash: sift.contentHash });
  assert.deepEqual(there.exportIndex(), plain);
  const { asked, embed } = modelOf();
  const rank = embeddings({ model: "toy@1", embed, index });
  assert.equal(await rank.prepare(there), 0);
  assert.deepEqual(await rank.scores("umbrella", there), await made.scores("umbrella", sift));
  assert.deepEqual([asked.tool, rank.size], [[], made.size]);
  assert.deepEqual(await rank.exportIndex(there), index);
  // An empty catalog has an index, too.
  const empty = new ToolSift();
  assert.equal(ToolSift.fromIndex(await made.exportIndex(empty)).tools().length, 0);
});

test("an index with other vectors, damaged ones or none is refused", async () => {
  const sift = siftOf();
  const { embed } = modelOf();
  const index = await embeddings({ model: "toy@1", embed }).exportIndex(sift);
  const refused = (bytes, code, words, model = "toy@1") =>
    assert.throws(() => embeddings({ model, embed, index: bytes }), { name: "ToolSiftError", code, message: words });
  refused(index, "index_stale", /vectors of the model "toy@1", not of "toy@2"/, "toy@2");
  refused(sift.exportIndex(), "index_invalid", /has no vectors/);
  refused(new Uint8Array(0), "index_invalid", /has no vectors/);
  const plain = sift.exportIndex().length;
  for (let at = plain; at < index.length; at += 3) {
    const changed = Uint8Array.from(index);
    changed[at] ^= 0x55;
    refused(changed, "index_invalid", /no vectors|cut or changed/);
  }
  for (let end = 0; end < index.length; end += 7) refused(index.slice(0, end), "index_invalid", /no vectors|cut or changed/);
  // A mark whose length cannot be.
  const long = Uint8Array.from(index);
  new DataView(long.buffer).setUint32(index.length - 12, 0xffff_ffff, true);
  refused(long, "index_invalid", /no vectors/);
  assert.throws(() => ToolSift.fromIndex(long), { code: "index_invalid" });
});

test("what a model does wrong is told, and the words answer alone", async () => {
  const wrong = [
    [failsWith("no network"), /^no network$/],
    [async () => "vectors", /embed returned string, not a list of vectors/],
    [(texts) => texts.slice(1).map(vectorOf), /embed returned 3 vectors for 4 texts/],
    [(texts) => texts.map(() => [1, NaN]), /embed returned NaN at place 1 of vector 0/],
    [(texts) => texts.map(() => [1, "2"]), /embed returned 2 at place 1 of vector 0/],
    [(texts) => texts.map((_, at) => Array(at + 1).fill(1)), /2 numbers as vector 1; the others have 1/],
    [(texts) => texts.map(() => []), /0 numbers as vector 0; 1 to 8192/],
    [(texts) => texts.map(() => null), /embed returned object as vector 0/],
    [(texts) => texts.map(() => [1e200, 1e200]), /too large/],
    [() => new Promise(() => {}), /^no answer within 30 ms$/],
    [
      (texts, { kind }) => texts.map(() => (kind === "tool" ? [1, 0] : [1, 0, 0])),
      /3 numbers as vector 0; the others have 2/,
    ],
  ];
  for (const [answer, words] of wrong) {
    const sift = siftOf();
    const plain = siftOf().session("chat").call("search_tools", { query: "send a mail" });
    const rank = embeddings({ model: "toy", embed: answer });
    const { problems, onProblem } = failing();
    const outcome = await search(sift.session("chat"), "send a mail", { rank, rankTimeoutMs: 30, onProblem });
    assert.deepEqual(outcome, plain);
    assert.equal(problems.length, 1, String(problems));
    assert.match(problems[0], words);
  }
});

test("what was embedded before a failure is kept, and the rest is tried again", async () => {
  const sift = siftOf();
  let down = true;
  const { asked, embed } = modelOf((texts) => {
    if (down && asked.batches.length === 2) throw new Error("down");
    return texts.map(vectorOf);
  });
  const rank = embeddings({ model: "toy", embed, batch: 2, concurrency: 1 });
  await assert.rejects(rank.prepare(sift), /down/);
  assert.equal(rank.size.vectors, 2);
  down = false;
  assert.equal(await rank.prepare(sift), 2);
  assert.deepEqual(asked.batches, [2, 2, 2]);
});

test("work ends with the last who waits for it", async () => {
  const signals = [];
  const embed = (_texts, { signal }) => (signals.push(signal), new Promise(() => {}));
  const rank = embeddings({ model: "toy", embed });
  const sift = siftOf();
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [one, two].map(({ signal }) => rank.prepare(sift, { signal }));
  one.abort(new Error("one left"));
  await assert.rejects(waiting[0], /one left/);
  assert.equal(signals[0].aborted, false);
  two.abort(new Error("two left"));
  await assert.rejects(waiting[1], /two left/);
  assert.deepEqual([signals.length, signals[0].aborted], [1, true]);
  const ending = new AbortController();
  const call = search(sift.session("chat"), "mail", { rank, signal: ending.signal });
  ending.abort(new Error("the user left"));
  await assert.rejects(call, /the user left/);
});

test("rerank is asked where the core is not sure", async () => {
  const sift = siftOf();
  const asked = [];
  const rerank = (query, tools, { session, signal }) => {
    asked.push({ query, names: tools.map(({ name }) => name), session });
    assert.ok(signal instanceof AbortSignal && tools.every(({ score, description }) => score > 0 && description));
    return ["get_forecast"];
  };
  const rank = embeddings({ model: "toy", embed: modelOf().embed, rerank });
  const session = sift.session("chat");
  assert.deepEqual((await search(session, "send a mail", { rank })).revealed, ["send_mail"]);
  assert.deepEqual(asked, []);
  assert.deepEqual((await search(session, "an umbrella", { rank })).revealed, ["get_forecast"]);
  assert.deepEqual(asked, [{ query: "an umbrella", names: ["get_forecast"], session: "chat" }]);

  const always = { rerank: () => [], rerankWhen: "always" };
  assert.match((await search(session, "open a ticket", { rank: always })).content, /^No tool matches/);
  assert.deepEqual((await search(session, "open a ticket", { rank: { rerank: () => [] } })).revealed, ["open_ticket"]);
});

test("scores of rerank change the order, and load nothing", async () => {
  const sift = siftOf([
    tool("get_forecast", "Tells the rain."),
    tool("get_record", "Tells the rain of a day that is gone."),
  ]);
  let count = 0;
  const order = async (rank) => {
    const { content, revealed } = await search(sift.session(`s${count++}`), "umbrella rain zebra quark yonder", { rank });
    assert.deepEqual(revealed, []);
    return content.match(/(?<=- )\w+/g);
  };
  const rerankWhen = "always";
  const plain = await order(undefined);
  assert.deepEqual(await order({ rerank: () => ({ [plain[1]]: 1 }), rerankWhen }), plain.toReversed());
});

test("what rerank does wrong is told, and the order stays", async () => {
  const sift = siftOf();
  const wrong = [
    [failsWith("no model"), /^rerank: no model$/],
    [() => 7, /^rerank: it returned number 7, neither names nor scores$/],
    [() => ["no_such_tool"], /^rerank: it returned only names that this session cannot find/],
    [() => ({ send_mail: 2 }), /^rerank: it scored .*send_mail.* with .*2; scores are numbers from 0 to 1$/],
    [() => new Promise(() => {}), /^rerank: no answer within 20 ms$/],
  ];
  for (const [at, [rerank, words]] of wrong.entries()) {
    const { problems, onProblem } = failing();
    const rank = { scores: async () => ({ get_forecast: 1 }), rerank, rerankWhen: "always" };
    const outcome = await search(sift.session(`s${at}`), "send a mail", { rank, rankTimeoutMs: 20, onProblem });
    assert.deepEqual(outcome.revealed, ["send_mail"]);
    assert.equal(problems.length, 1);
    assert.match(problems[0], words);
  }
});

test("runs tell of it by events, and calls of other tools wait for nothing", async () => {
  const sift = siftOf();
  const { embed } = modelOf();
  const events = [];
  const replies = [
    [{ id: "1", name: "search_tools", args: { query: "umbrella" } }],
    [{ id: "2", name: "add_tool", args: { names: ["get_forecast"] } }],
    [],
  ];
  const send = () => ({ calls: replies.shift() });
  const rank = embeddings({ model: "toy", embed });
  const [execute, onEvent] = [() => "", (event) => void events.push(event)];
  await runTools(sift.session("run"), { send, execute, rank, onEvent });
  const [search] = events.filter(({ type }) => type === "search");
  assert.deepEqual([search.ranker, search.rankError, search.query], ["sift+own", undefined, "umbrella"]);
  const broken = embeddings({ model: "toy", embed: failsWith("down") });
  events.length = 0;
  replies.push([{ id: "1", name: "search_tools", args: { query: "mail" } }], []);
  await runTools(sift.session("run"), { send, execute, rank: broken, onEvent });
  const searches = events.filter(({ type }) => type === "search");
  assert.deepEqual([searches.length, searches[0].ranker, searches[0].rankError], [1, "sift", "down"]);
});

test("options that cannot be are refused", async () => {
  const { embed } = modelOf();
  const refused = (options, code) => assert.throws(() => embeddings({ model: "toy", embed, ...options }), { code });
  refused({ model: "" }, "option_invalid");
  refused({ model: 7 }, "option_invalid");
  refused({ model: "x".repeat(201) }, "option_invalid");
  refused({ embed: "text-embedding-3-small" }, "option_invalid");
  refused({ modle: "toy" }, "option_unknown");
  refused({ batch: 0 }, "limit_out_of_range");
  refused({ concurrency: 65 }, "limit_out_of_range");
  refused({ rerank: [] }, "option_invalid");
  refused({ rerankWhen: "never" }, "option_invalid");
  refused({ index: "tools.bin" }, "option_invalid");
  const session = siftOf().session("chat");
  const rejected = (rank, code) => assert.rejects(search(session, "mail", { rank }), { code });
  await rejected({}, "option_invalid");
  await rejected({ rerenk: () => [] }, "option_unknown");
  await rejected({ scores: 5 }, "option_invalid");
  await rejected({ rerank: () => [], rerankWhen: "never" }, "option_invalid");
  const stub = siftOf(TOOLS, { profile: "stub" }).session("s");
  const conflict = stub.callAsync("tool_search", {}, { rank: { rerank: () => [] } });
  await assert.rejects(conflict, { code: "option_conflict" });
  await assert.rejects(embeddings({ model: "toy", embed }).prepare({}), { code: "option_invalid" });
});

test("callAsync without a ranker is call", async () => {
  const [one, two] = [siftOf().session("a"), siftOf().session("a")];
  for (const [name, args] of [
    ["search_tools", { query: "send a mail" }],
    ["send_mail", { to: "you" }],
    ["nonsense", {}],
  ]) {
    assert.deepEqual(await one.callAsync(name, args), two.call(name, args));
  }
});

test("the text that is embedded holds what people would say, and is cut", async () => {
  const { asked, embed } = modelOf();
  const properties = { city: { type: "string", description: "Which one" }, when: { anyOf: [{ properties: { day: {} } }] } };
  const about = { title: "Forecast", description: "Tells the weather. For any city." };
  const forecast = { name: "getForecast_v2", ...about, inputSchema: { type: "object", properties } };
  const sift = siftOf([]);
  const enrichment = [{ name: "getForecast_v2", queries: ["is it raining in Lisbon?"], keywords: ["umbrella"] }];
  sift.sync("s", [forecast, tool("long", "word ".repeat(10_000))], { enrichment });
  await embeddings({ model: "toy", embed }).prepare(sift);
  assert.equal(
    asked.tool[0],
    "s get forecast v2\nTells the weather.\nForecast\nFor any city.\numbrella\nis it raining in Lisbon?\ncity, when, day",
  );
  assert.ok(asked.tool[1].length <= 8_192 && asked.tool[1].length > 8_000);
});
