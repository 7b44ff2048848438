/**
 * Does `npm run simulate -- --learning` simulate what it says, and does learning not hurt?
 *
 * 1. A session searches with the query, searches again where the tool was not found, and calls what meets each need.
 * 2. The halves of a set share nothing and lack nothing; a learner is told of as many calls of a tool as the volume says, and
 *    of a wrong one only where the noise says so.
 * 3. Words that people use and that no definition has are learned from one half and help the other; with little use, with
 *    wrong calls, and where there is nothing to learn, nothing gets worse.
 * 4. Input that cannot be right is refused with the value.
 */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { exported, halves, NOISES, VOLUMES } from "../../scripts/lib/simulate/learning/learn.mjs";
import { measureLearning } from "../../scripts/lib/simulate/learning/measure.mjs";
import { sessionsOf } from "../../scripts/lib/simulate/learning/use.mjs";

const { ToolSift, runTools } = await import(at("pkg", "dist", "index.js"));
const { learner } = await import(at("pkg", "dist", "author.js"));

/** What each tool is called by those who wrote it, and the words of those who use it. */
const TOPICS = {
  get_forecast: ["Get the weather forecast of a place.", ["umbrella", "sunscreen", "jacket"]],
  send_mail: ["Send a message to a recipient.", ["write grandma", "tell my boss", "letter"]],
  add_event: ["Add an event to the calendar.", ["dentist", "birthday", "lunch"]],
  play_track: ["Start the playback of a track.", ["listen", "song", "band"]],
  pay_invoice: ["Pay an invoice.", ["bill", "owe", "rent"]],
  book_flight: ["Reserve a seat on a plane.", ["holiday", "travel", "island"]],
};
const AROUND = ["need", "what about my", "quickly", "next week", "before the evening", "for the family", "again", "outside"];

const tools = Object.entries(TOPICS).map(([name, [description]]) => {
  return { name, registered: name, names: "any", description, parameters: null, server: "s" };
});
const queries = Object.entries(TOPICS).flatMap(([name, [, words]]) =>
  words.flatMap((word) =>
    AROUND.map((around, at) => ({
      id: `${name} ${word} ${at}`,
      query: `${around} ${word}`,
      relevant: [name],
      match: "any",
    })),
  ),
);
const SET = {
  name: "topics",
  tools,
  queries,
  sessions: await sessionsOf({ ToolSift, runTools }, { name: "topics", tools, queries }),
};

const home = mkdtempSync(join(tmpdir(), "toolsift-learning-"));
after(() => rmSync(home, { recursive: true }));

test("a session", async () => {
  const both = { id: "both", query: "forecast, dentist", relevant: ["get_forecast", "add_event"], match: "all" };
  const [{ events, confused }] = await sessionsOf({ ToolSift, runTools }, { name: "one", tools, queries: [both] });
  const told = events.filter(({ type }) => type !== "reveal").map(({ type, tool, query }) => [type, tool, query ?? null]);
  assert.deepEqual(told, [
    ["search", "search_tools", "forecast, dentist"],
    ["search", "add_tool", null],
    ["dispatch", "get_forecast", null],
    ["search", "search_tools", "add event"],
    ["search", "add_tool", null],
    ["dispatch", "add_event", null],
  ]);
  assert.deepEqual(
    confused.map(({ name }) => name),
    ["get_forecast"],
  );
});

test("halves, volumes and noise", () => {
  for (const count of [0, 1, 7, 100]) {
    const { learned, asked } = halves(count, 3);
    assert.deepEqual(
      [...learned, ...asked].sort((a, b) => a - b),
      Array.from({ length: count }, (_, at) => at),
    );
    assert.ok(Math.abs(learned.length - asked.length) <= 1);
  }
  assert.notDeepEqual(halves(100, 1), halves(100, 2));

  const callsIn = (how) => {
    const calls = [];
    const counting = () => ({
      onEvent: (event) => void (event.type === "dispatch" && calls.push(event)),
      export: () => [],
    });
    exported(counting, tools, SET.sessions, { seed: 0, ...how });
    return calls;
  };
  assert.equal(callsIn({ volume: 2, noise: 0 }).length, 2 * tools.length);
  assert.equal(callsIn({ volume: Infinity, noise: 0 }).length, queries.length);
  const [right, wrong] = [0, 1].map((noise) => callsIn({ volume: Infinity, noise }));
  assert.ok(right.every(({ tool }, at) => queries[at].relevant.includes(tool)));
  const swapped = wrong.filter(({ tool }, at) => tool !== right[at].tool);
  const possible = SET.sessions.filter(({ confused }, at) => confused.some(({ name }) => name !== right[at].tool));
  assert.equal(swapped.length, possible.length);
});

test("learning helps, and does not hurt", () => {
  const rows = measureLearning({ ToolSift, learner }, [SET], { splits: 3 });
  assert.deepEqual(
    rows.map(({ noise, volume }) => [noise, volume]),
    NOISES.flatMap((noise) => VOLUMES.map((volume) => [noise, volume])),
  );
  for (const { noise, volume, sets, macro } of rows) {
    for (const key of ["recall@1", "recall@5"])
      assert.ok(macro[key].mean >= -0.003, `${key} ${noise} ${volume}: ${macro[key].mean}`);
    if (volume === 1 && noise === 0)
      assert.deepEqual([sets[0].words, macro["recall@1"].mean], [0, 0], "one session is no support");
    if (volume === Infinity && noise === 0) assert.ok(macro["recall@1"].low > 0.3, `${macro["recall@1"].low}`);
  }
  // The queries name the tools: there is nothing to learn.
  const named = queries.map((query) => ({ ...query, query: query.relevant[0].replace("_", " ") }));
  const [, , , , all] = measureLearning({ ToolSift, learner }, [{ ...SET, queries: named }], { splits: 1 });
  assert.equal(all.macro["recall@1"].mean, 0);
});

test("the command", async () => {
  const command = (...args) => node(at("scripts", "simulate.mjs"), args, { fails: false });
  const path = join(home, "all.json");
  const { code, stdout, output } = await command(
    at("tests", "simulate", "sets"),
    "--learning",
    "--splits",
    "2",
    "--json",
    path,
  );
  assert.equal(code, 0, output);
  assert.match(stdout, /recall@1, every call right[\s\S]*recall@5, 20 % of the calls wrong[\s\S]*paired bootstrap/);
  assert.ok(
    stdout.split("\n").every((line) => [...line].length <= 120),
    stdout,
  );
  const { splits, rows } = JSON.parse(readFileSync(path, "utf8"));
  assert.deepEqual([splits, rows.length, rows[4].volume, rows[0].sets[0].name], [2, 10, null, "shop"]);
  const cases = [
    [["--learning", "--splits", "0"], /--splits 0: it must be a whole number from 1 to 100/],
    [["--splits", "2"], /--splits needs --learning/],
    [["--learning", "--turns", "2"], /--learning takes none of the options of a conversation/],
  ];
  for (const [args, message] of cases) {
    const refused = await command(at("tests", "simulate", "sets"), ...args);
    assert.deepEqual([refused.code, refused.stdout], [1, ""], args.join(" "));
    assert.match(refused.stderr, message);
  }
});
