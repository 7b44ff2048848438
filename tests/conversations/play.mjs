/**
 * The conversations of this folder. Every adapter, `toolsift()`, the proxy and the adapters of Python play them.
 *
 * A conversation has a `name`; the `settings` of its catalog, by default with the tools of four real `servers`; further
 * tools to `register`; `skills`, which may have `files`; and `runs`, one after the other or `together`. With `stream`, it is
 * played only with streaming. `limit` says which part has the limit that it tests.
 *
 * A run has the session's `id`, its `scope` and its loaded tools (`revealed`); the user's message (`prompt`); options of the
 * adapter (`prefetch`, `rank`, `patience`, `maxSteps`, `maxTools`, `maxAnswerChars`, `readOn`); `own`, the program's own
 * tools; `restarted`, if it begins after a restart; the `answers` of tools that are not the default answer (`says`;
 * `throws`; `ends`, the reason why the program ends the run during the call; or `syncs`, a change of the servers' lists);
 * and `replies`, the replies of the model.
 *
 * A reply is a list of calls, `{ name: arguments }`, after the calls of `always`; or a reply in the format of a vendor's
 * API; or "as told": the model makes the call that the last answer names, until an answer names none. After the last reply,
 * which may be repeated `forever`, the model ends with a text.
 *
 * The expected results of a run are:
 * - `steps`, one for each request, or for several (`times`): the `loaded` tools besides the discovery tools and the
 *   program's own, the `first` of them or their `count`, the `same` as before, tools that it `has` and `lacks`; patterns for
 *   its `answers`, and the length of the `longest`. Tools are only appended, unless `changed` is set. `reads` means that the
 *   model can read the rest of an answer.
 * - Patterns of the first `system` prompt, and of all `systems`.
 * - The tools that `ran`, and the `arguments` of the first, or their `count`; `finish` ("done" by default) and `text`.
 * - The names of `own` tools, if some are also in the catalog. The `events`: step, type, tool and other fields. The error
 *   with which the run `rejects`. The text that the model has `read` in the pages of a cut answer.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { at } from "../../scripts/lib/paths.mjs";
import { DISCOVERY } from "../adapters/lib/calls.mjs";

const FOLDER = at("tests", "conversations");

function written(_, value) {
  if (typeof value?.repeat === "string") return `${value.behind ?? ""}${value.repeat.repeat(value.times)}`;
  return Array.isArray(value)
    ? value.flatMap((one) => (one?.numbered === undefined ? [one] : numbered(one.numbered)))
    : value;
}

const nameOf = (nth) => `tool_${String(nth).padStart(3, "0")}`;
const numbered = (count) =>
  Array.from({ length: count }, (_, nth) => ({ name: nameOf(nth), description: "One.", inputSchema: { type: "object" } }));

/** All of them, with what is short in the files written out. */
export const CONVERSATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8"), written));

/** Skills as a host registers them, with what reads their files. */
export const skillsOf = (skills = []) =>
  skills.map(({ files = {}, ...skill }) => ({
    ...skill,
    kind: "skill",
    read: (path) => files[path] ?? Promise.reject(new Error(`there is no file ${path}`)),
  }));

/** The names of what is revealed in a run before it begins. */
export const revealedIn = ({ revealed = [] }) =>
  Array.isArray(revealed) ? revealed : numbered(revealed.numbered).map(({ name }) => name);

const textOf = (answer) => (Array.isArray(answer) ? answer.map(({ text }) => text).join("\n") : answer);
const callOf = (one) => {
  const [[name, args]] = Object.entries(one);
  return { name, args };
};

/** What a player may be without: a conversation's name, fields of its runs, its settings, and the tools that are called. */
export function featuresOf({ name, settings = {}, runs, ...others }) {
  const fields = runs.flatMap((run) => [...Object.keys(run), ...Object.keys(run.expect)]);
  const called = runs.flatMap(({ replies, always = [] }) => [...always, ...replies.flat()].flatMap(Object.keys));
  return [name, ...Object.keys(others), ...Object.keys(settings), ...fields, ...called];
}

/** What the model of a run says, as a vendor's script. */
export function scripted({ replies, always = [], forever = false }) {
  return ({ answers }, step) => {
    const isBehind = step > replies.length;
    const reply = replies[forever && isBehind ? replies.length - 1 : step - 1] ?? (isBehind ? replies.at(-1) : undefined);
    if (reply === "as told") {
      const [, name, args] = /\b(\w+)\((\{[^{}]*\})\)/.exec(textOf(answers.at(-1))) ?? [];
      return name === undefined ? { text: "All done." } : { calls: [{ name, args: JSON.parse(args) }] };
    }
    if (isBehind && !forever) return { text: "All done." };
    return Array.isArray(reply) ? { calls: [...always, ...reply].map(callOf) } : reply;
  };
}

/** What a tool answers in a run, which `ending` ends. */
export function answerOf({ answers = {} }, { server, name, signal }, sift, ending) {
  const { throws, says, ends, syncs = {} } = answers[name] ?? {};
  if (throws !== undefined) throw new Error(throws);
  if (ends !== undefined) {
    ending.abort(new Error(ends));
    return signal.aborted
      ? Promise.reject(signal.reason)
      : new Promise((_, reject) => signal.addEventListener("abort", reject));
  }
  for (const [one, tools] of Object.entries(syncs)) sift.sync(one, tools);
  return says ?? `${server}/${name} did it`;
}

/** The host's own ranker of a run, where it has one: it judges every search. */
export const rankOf = ({ rank }) =>
  rank === undefined
    ? {}
    : {
        rank: {
          rerankWhen: "always",
          rerank: async (query) => {
            if (rank[query].throws !== undefined) throw new Error(rank[query].throws);
            return rank[query];
          },
        },
      };

/** The discovery tools of a conversation's first request. */
export function surfaceOf({ activation, surface, profile } = {}, growing = DISCOVERY) {
  if (activation === "off") return [];
  if (profile === "bridge") return ["tool_search", "tool_describe", "tool_call"];
  return surface === "constant" ? ["search_tools", "call_read_only_tool", "call_tool", "call_destructive_tool"] : growing;
}

function detailOf({ type, tool, name, ranker, rankError, code, isError }) {
  if (type === "search") return [ranker, rankError];
  return type === "refuse" ? [code] : [name === tool ? undefined : name, isError ? "failed" : undefined];
}

/** An event in a line. */
export const lineOf = (event) =>
  [event.step, event.type, event.tool, ...detailOf(event)].filter((part) => part !== undefined).join(" ");

/**
 * Compares a run with what is expected of it. A run is `{ requests, ran, finish, text }`, and `revealed` and `events` where the
 * player knows them; the `surface` are its discovery tools, and `own` the names of the host's own tools.
 */
export function check({ system, systems, steps, ...expected }, run, { surface = DISCOVERY, own = [] } = {}) {
  const { ran, count, arguments: args, finish = "done", text, events, read } = expected;
  const each = steps?.flatMap(({ times = 1, ...step }) => Array(times).fill(step)) ?? run.requests.map(() => ({}));
  assert.equal(run.requests.length, each.length, "requests");
  if (system !== undefined) assert.match(run.requests[0].system, new RegExp(system));
  let before = [];
  for (const [nth, step] of each.entries()) {
    const { tools: names, answers, system: said } = run.requests[nth];
    assert.deepEqual(names.slice(0, own.length), own, "the host's own tools first");
    const tools = names.slice(own.length).filter((name) => !["read_cut_answer", "read_skill"].includes(name));
    assert.deepEqual(tools.slice(0, surface.length), surface, "the discovery tools behind them");
    const loaded = tools.slice(surface.length);
    if (!step.changed) assert.deepEqual(loaded.slice(0, before.length), before, "only appended");
    const { has = [], lacks = [], answers: patterns = [] } = step;
    if (step.loaded !== undefined) assert.deepEqual(loaded, step.loaded);
    assert.equal(names.includes("read_cut_answer"), step.reads ?? false, "offered from a cut on");
    if (step.count !== undefined) assert.equal(loaded.length, step.count);
    if (step.first !== undefined) assert.equal(loaded[0], step.first, "the best hit first, behind what stood there");
    if (step.same) assert.deepEqual(loaded, before);
    assert.ok(has.every((name) => loaded.includes(name)) && !lacks.some((name) => loaded.includes(name)), `${loaded}`);
    if (systems !== undefined) assert.match(said, new RegExp(systems));
    const told = answers.map(textOf);
    if (patterns.length > 0) assert.equal(told.length, patterns.length, "each call is answered");
    for (const [place, pattern] of patterns.entries()) assert.match(told[place], new RegExp(pattern, "u"));
    if (step.longest !== undefined)
      assert.ok(told.every((answer) => answer.length <= step.longest && answer.isWellFormed()));
    before = loaded;
  }
  if (run.revealed !== undefined && run.finish === "done" && surface.length > 0)
    assert.deepEqual(run.revealed, before, "the session holds what the model sees");
  const names = run.ran.map(({ server, name }) => (server === undefined ? name : `${server}/${name}`));
  if (ran !== undefined) assert.deepEqual(names, ran);
  if (count !== undefined) assert.ok(names.length >= count[0] && names.length <= count[1], `${names.length} ran`);
  if (args !== undefined) assert.deepEqual(run.ran[0].args, args);
  if (events !== undefined && run.events !== undefined) assert.deepEqual(run.events.map(lineOf).sort(), [...events].sort());
  if (read !== undefined) {
    const pages = run.requests.slice(1).map(({ answers }) => textOf(answers[0]).replace(/\n\n\[[^[]*\]$/, ""));
    assert.equal(pages.join(""), read, "the pages are the whole answer");
  }
  if (expected.rejects !== undefined) return;
  assert.equal(run.finish, finish);
  if (text !== undefined) assert.equal(run.text, text);
}
