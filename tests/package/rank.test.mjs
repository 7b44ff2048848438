/** Tests a program's own ranker together with the built-in one, in the installed package. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { valuesOf } from "../cli/command-line.mjs";

const { ToolSift, runTools } = await import("toolsift");

/** Words that mean the same. */
const MEANINGS = {
  get_forecast: ["forecast", "rain", "umbrella", "wet"],
  send_mail: ["mail", "send", "letter", "post"],
  open_ticket: ["ticket", "bug", "defect", "broken"],
};

/** Scores by meaning, as a host with an embedding model has them. */
const meant = async (query, session) =>
  Object.fromEntries(
    session
      .tools()
      .filter(({ name }) => MEANINGS[name]?.some((word) => query.includes(word)))
      .map(({ name }) => [name, 1]),
  );

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

test("a tool without a word in common is found, and not loaded for that", async () => {
  const sift = siftOf();
  const session = sift.session("chat");
  const rank = { scores: meant };
  assert.match(session.call("search_tools", { query: "umbrella" }).content, /^No tool matches/);
  const outcome = await search(session, "umbrella", { rank });
  assert.match(outcome.content, /^No tool clearly fits[^]*Not loaded[^]*- get_forecast\(/);
  assert.deepEqual([outcome.revealed, session.revealed], [[], []]);

  const scores = await meant("is it a broken umbrella", sift);
  const { hits, confidence } = sift.search("umbrella", { scores, reasons: true });
  assert.equal(confidence, "none");
  assert.deepEqual(hits.map(({ name }) => name).sort(), ["get_forecast", "open_ticket"]);
  assert.deepEqual(valuesOf(hits[0].parts, "how"), ["host"]);
  const { found, parts } = sift.explain("umbrella", "get_forecast", { scores });
  assert.deepEqual([found, parts[0].contribution], [true, hits.find(({ name }) => name === "get_forecast").score]);
  assert.equal(sift.explain("umbrella", "get_forecast").found, false);
});

const never = () => new Promise(() => {});
const OUT_OF_RANGE = /it scored .*send_mail.* with .*2; scores are numbers from 0 to 1$/;
const WRONG = {
  scores: [
    [failsWith("no network"), /^no network$/],
    [async () => "scores", /^it returned string scores, neither names nor scores$/],
    [async () => ({ send_mail: 2 }), OUT_OF_RANGE],
    [async () => ({ send_mail: NaN }), /scores are numbers from 0 to 1$/],
    [never, /^no answer within 20 ms$/],
  ],
  rerank: [
    [failsWith("no model"), /^rerank: no model$/],
    [() => 7, /^rerank: it returned number 7, neither names nor scores$/],
    [() => ["no_such_tool"], /^rerank: it returned only names that this session cannot find/],
    [() => ({ send_mail: 2 }), OUT_OF_RANGE],
    [never, /^rerank: no answer within 20 ms$/],
  ],
};
for (const [part, wrong] of Object.entries(WRONG)) {
  test(`what ${part} does wrong is told, and the words answer alone`, async () => {
    const plain = siftOf().session("chat").call("search_tools", { query: "send a mail" });
    for (const [fails, words] of wrong) {
      const problems = [];
      const rank = { scores: async () => ({}), rerankWhen: "always", [part]: fails };
      const options = { rank, rankTimeoutMs: 20, onProblem: (message) => void problems.push(message) };
      assert.deepEqual(await search(siftOf().session("chat"), "send a mail", options), plain);
      assert.equal(problems.length, 1, String(problems));
      assert.match(problems[0], words);
    }
  });
}

test("rerank is asked where the core is not sure", async () => {
  const sift = siftOf();
  const asked = [];
  const rerank = (query, tools, { session, signal }) => {
    asked.push({ query, names: tools.map(({ name }) => name), session });
    assert.ok(signal instanceof AbortSignal && tools.every(({ score, description }) => score > 0 && description));
    return ["get_forecast"];
  };
  const rank = { scores: meant, rerank };
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

test("runs tell of it by events, and calls of other tools wait for nothing", async () => {
  const sift = siftOf();
  const events = [];
  const replies = [
    [{ id: "1", name: "search_tools", args: { query: "umbrella" } }],
    [{ id: "2", name: "add_tool", args: { names: ["get_forecast"] } }],
    [],
  ];
  const send = () => ({ calls: replies.shift() });
  const rank = { scores: meant };
  const [execute, onEvent] = [() => "", (event) => void events.push(event)];
  await runTools(sift.session("run"), { send, execute, rank, onEvent });
  const [search] = events.filter(({ type }) => type === "search");
  assert.deepEqual([search.ranker, search.rankError, search.query], ["sift+own", undefined, "umbrella"]);
  const broken = { scores: failsWith("down") };
  events.length = 0;
  replies.push([{ id: "1", name: "search_tools", args: { query: "mail" } }], []);
  await runTools(sift.session("run"), { send, execute, rank: broken, onEvent });
  const searches = events.filter(({ type }) => type === "search");
  assert.deepEqual([searches.length, searches[0].ranker, searches[0].rankError], [1, "sift", "down"]);
});
