/**
 * Prints the answers of the package to all questions that the Python tests ask too, as JSON: the steps of the runtimes, the
 * vectors of the published systems, the golden sets, with and without extra words, and conversations in every format.
 * `steps` and `answers` have the same order.
 */

import { readFileSync } from "node:fs";
import { programData } from "./lib/app.mjs";
import { SHAPES } from "../history/lib/write.mjs";
import { readSet, SETS } from "../golden/sets.mjs";
import { readVectors } from "../vectors/play/vectors.mjs";
import { runVector } from "../vectors/play/run.mjs";
import { nativeAnswers } from "./lib/native.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));

const steps = [];
const answers = [];
let sifts = 0;

/** Does a step, and notes it with its answer or its error. What Python may see are plain values, as they were then. */
function noted(step, run) {
  while (step.args.length > 0 && step.args.at(-1) === undefined) step.args.pop();
  const written = JSON.stringify(step);
  try {
    const answer = run();
    answers.push(
      JSON.stringify(answer instanceof ToolSift ? null : answer?.isScoped === undefined ? (answer ?? null) : answer.id),
    );
    return answer;
  } catch (error) {
    const { code, message, alias } = error;
    if (code === undefined) throw error;
    answers.push(JSON.stringify({ error: alias === undefined ? { code, message } : { code, message, alias } }));
    throw error;
  } finally {
    steps.push(JSON.parse(written));
  }
}

const METHODS = ["register", "sync", "unregister", "search", "explain", "tools", "size", "closeSession"];
const OF_A_SESSION = [
  "assemble",
  "call",
  "callAll",
  "reveal",
  "conceal",
  "evict",
  "rescope",
  "unmatched",
  "heldBack",
  "snapshot",
  "tools",
  "fromMessages",
];

/** A `ToolSift` that notes what is asked of it. */
class Recorder {
  constructor(options = {}) {
    const on = ++sifts;
    const counts = {};
    const sift = noted({ do: "open", args: [options], on }, () => new ToolSift(counted(options, counts)));
    // What a counter of the vectors' says of each text, which it is asked for later.
    if (options.countTokens !== undefined) steps.at(-1).counts = counts;
    for (const method of METHODS) {
      this[method] = (...args) => noted({ do: method, args: [...args], on }, () => sift[method](...args));
    }
    this.session = (id, opened) => this.#session(sift, on, id, opened);
    this.dispose = () => noted({ do: "drop", args: [], on }, () => void sift.dispose());
    Object.defineProperty(this, "settings", { get: () => noted({ do: "settings", args: [], on }, () => sift.settings) });
  }

  #session(sift, on, id, options = {}) {
    const session = noted({ do: "id", args: [], on, session: id, options }, () => sift.session(id, options));
    const own = { id };
    const step = (method, args) => ({ do: method, args, on, session: id, options });
    for (const method of OF_A_SESSION) {
      own[method] = (...args) => noted(step(method, [...args]), () => session[method](...args));
    }
    Object.defineProperty(own, "revealed", { get: () => noted(step("revealed", []), () => session.revealed) });
    return own;
  }
}

/** The options, with a counter that notes what it says. */
function counted(options, counts) {
  const { countTokens } = options;
  return countTokens === undefined ? options : { ...options, countTokens: (text) => (counts[text] = countTokens(text)) };
}

function vectors() {
  const { vectors, catalog } = readVectors(at("tests", "vectors"));
  const failed = vectors.map((vector) => runVector(Recorder, vector, catalog)).find(({ outcome }) => outcome === "failed");
  if (failed) throw new Problem(`the package itself fails ${failed.id}: ${failed.reason ?? JSON.stringify(failed.actual)}`);
  return vectors.length;
}

/** Each set as it is, and with what its queries say as the words of their tools. */
function golden() {
  for (const name of Object.keys(SETS)) {
    const { tools, queries } = readSet(name);
    const wanted = queries.filter(({ relevant }) => relevant.length > 0);
    const enrichment = wanted.map(({ relevant, query }) => ({ name: relevant[0], queries: [query] }));
    for (const options of [{ names: "any" }, { names: "any", enrichment }]) {
      const sift = new Recorder({ activation: "on", deferral: "opt-out" });
      sift.register(tools, options);
      for (const { query } of queries) sift.search(query, { limit: 5 });
      sift.search(queries[0].query, { reasons: true });
      sift.dispose();
    }
  }
}

/** What a model calls, step by step; each profile knows some of it, and refuses the rest. */
const SEEN = "mcp__weather__get_tides";
const SAID = [
  [
    ["search_tools", { query: "high tide times" }],
    ["ToolSearch", { query: `select:${SEEN},nope` }],
  ],
  [
    ["tool_search", { query: "send a slack message" }],
    ["show_all_tools", {}],
    ["mcp__calendar__list_events", { a: 1 }],
  ],
  [
    ["add_tool", { tool_names: [SEEN, "nope", "mcp__linear__create_project"] }],
    [SEEN, {}],
  ],
  [
    ["tool_call", { name: SEEN, arguments: {} }],
    ["mcp__calendar__list_events", {}],
    ["own_tool", {}],
  ],
  [
    ["search_tools", { query: "" }],
    [SEEN, { harbour: "Oslo" }],
  ],
];

/** A conversation under each profile, in every shape of messages that Python reads, and what a session makes of it. */
function histories() {
  const catalog = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));
  for (const { name: profile } of ToolSift.profiles()) {
    const sift = new Recorder({ profile, activation: "on", limits: { revealed: 3, whenFull: "evict" } });
    sift.register(catalog, { names: "any" });
    const session = sift.session("live");
    let calls = 0;
    const call = ([name, args]) => {
      const outcome = session.call(name, args, { now: 0 });
      const failed = outcome.kind === "refused" || outcome.isError === true;
      const text = { result: outcome.content, refused: outcome.error?.message, dispatch: `${name} did it.` }[outcome.kind];
      return { id: `call_${(calls += 1)}`, name, args, text, failed };
    };
    const steps = SAID.map((step) => {
      session.assemble({ format: "openai" });
      return step.map(call);
    });
    for (const [shape, format, write] of SHAPES) {
      const rebuilt = sift.session(shape);
      rebuilt.fromMessages(JSON.parse(JSON.stringify(write([{ steps }]))), { format });
      void rebuilt.revealed;
      rebuilt.assemble({ format: "openai" });
    }
    sift.dispose();
  }
}

const { steps: first, tools } = programData();
const native = await nativeAnswers(first);
const count = vectors();
golden();
histories();
process.stdout.write(
  JSON.stringify({ vectors: count, steps: [...first, ...steps], answers: [...native, ...answers], tools }),
);
