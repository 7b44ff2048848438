/** Runs each vector with the package, on new instances. */

import { claudeCode } from "./claude-code.mjs";
import { everruns } from "./everruns.mjs";
import { NotUnderstood, only } from "./facts.mjs";
import { hermes } from "./hermes.mjs";
import { mcpagent } from "./mcpagent.mjs";
import { nexo } from "./nexo.mjs";

/** How each system is driven through the package: its configuration becomes ours, our answers its words. */
export const SYSTEMS = { nexo, claude_code: claudeCode, everruns, hermes, mcpagent };

const VECTOR = ["id", "system", "catalog", "config", "configText", "call", "expected", "tags"];

/**
 * Runs one vector: `{ id, system, outcome }`, where the outcome is `passed`, `failed` or `skipped`; with `expected` and
 * `actual` where they differ, and `reason` where there is more to say.
 */
export function runVector(ToolSift, vector, catalog) {
  const { id, system } = vector;
  try {
    const [difference] = differences(ToolSift, vector, catalog);
    if (difference === undefined) return { id, system, outcome: "passed" };
    const reason = skipReason(vector, difference);
    const { expected, actual, because } = difference;
    if (reason !== undefined) return { id, system, outcome: "skipped", reason, expected, actual };
    return { id, system, outcome: "failed", expected, actual, ...(because && { reason: because }) };
  } catch (error) {
    const reason = error instanceof NotUnderstood ? error.message : (error.stack ?? String(error));
    return { id, system, outcome: "failed", reason };
  }
}

/**
 * How the package answers otherwise, by each reading of the vector; nothing where by one of them it does not. A
 * system's source and its description may disagree. A vector that is tagged so holds what one of the two says, first of
 * all the description, and any other vector what was recorded from the source.
 */
function differences(ToolSift, vector, catalog) {
  const readings = vector.tags?.includes("seed-differs") ? ["seed", "source"] : ["source"];
  const found = [];
  for (const reading of readings) {
    const difference = differenceIn(ToolSift, vector, catalog, reading);
    if (difference === null) return [];
    found.push(difference);
  }
  return found;
}

/** The first step in which the package answers otherwise, or null. */
function differenceIn(ToolSift, vector, catalog, reading) {
  only(vector, VECTOR, "the vector");
  const open = Object.hasOwn(SYSTEMS, vector.system) && SYSTEMS[vector.system];
  if (!open) throw new NotUnderstood(`the system ${vector.system}`);
  const tools = typeof vector.catalog === "string" ? catalog(vector.catalog) : (vector.catalog ?? []);
  const { config, configText } = vector;
  const { steps, sifts } = open({ ToolSift, config, configText, tools, reading });
  try {
    for (const { step, expected, at } of stepsOf(vector)) {
      const word = step.do ?? step.tool ?? step.op ?? Object.keys(step)[0];
      if (!Object.hasOwn(steps, word)) throw new NotUnderstood(`the call ${word}`);
      const facts = steps[word](step);
      const difference = facts.differences(expected);
      if (difference === null) continue;
      const located = (value) => (at === undefined ? value : { [`step ${at + 1}`]: value });
      const [wanted, actual] = [difference.expected, difference.actual].map(located);
      return { expected: wanted, actual, because: facts.because, engine: facts.engine?.() };
    }
    return null;
  } finally {
    for (const sift of sifts) sift.dispose();
  }
}

function stepsOf({ call, expected }) {
  if (call.op !== "sequence") return [{ step: call, expected }];
  only(call, ["op", "steps"], "the call");
  only(expected, ["steps"], "expected");
  if (call.steps.length === 0 || call.steps.length !== expected.steps?.length) {
    throw new NotUnderstood(`${expected.steps?.length} expectations of ${call.steps.length} steps`);
  }
  return call.steps.map((step, at) => ({ step, expected: expected.steps[at], at }));
}

/**
 * Why a difference does not count: the vector is about a detail of Go's regular expressions, says how Rust's engine
 * answers instead, and that is the answer. Any other difference counts, also there.
 */
function skipReason({ tags = [], note = "" }, { engine }) {
  if (!tags.includes("engine-specific") || engine === undefined) return undefined;
  const [, otherwise] = /the Rust regex crate answers differently: (.+)$/.exec(note) ?? [];
  return otherwise === engine ? `engine-specific: ${otherwise}, where Go's engine does not` : undefined;
}
