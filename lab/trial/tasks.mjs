/** Reads the tasks of a trial, each with its request and the right tools. */

import { needsOf } from "../eval/metrics.mjs";
import { shuffled } from "../eval/random.mjs";
import { readSets } from "../eval/sets.mjs";
import { valuesOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { asEntry, fill, labelOf, poolOf } from "./catalog.mjs";

const TASKS = at("lab", "trial", "tasks.jsonl");
const SEED = "trial";

/**
 * Reads the trial: `{ tasks, catalogs, words? }`. A task has its `id`; its `text`; its `needs`, groups of labels of which
 * any tool is right; `also`, the labels of tools that are no mistake; and the number of its catalog. `words` is the
 * enrichment of a labelled set.
 */
export function readTrial({ set, catalogs, size, tasks: count, needs: least = 0 }) {
  const { pool, asked, words } = set === undefined ? ours(catalogs) : labelled(set);
  const labels = new Set(pool.map(labelOf));
  const known = asked.map((task) => ({
    ...task,
    needs: task.needs.map((group) => group.filter((label) => labels.has(label))),
  }));
  const bad = known.find(({ needs }) => needs.some((group) => group.length === 0));
  if (bad) throw new Problem(`the task ${bad.id} needs a tool that no catalog has; --catalogs DIR may have it`);
  const wanted = known.filter(({ needs }) => needs.length >= least);
  // The order is random, so that a person who plays by hand cannot guess from it how many tools a task needs.
  const tasks = shuffled(wanted, SEED).slice(0, count);
  if (tasks.length === 0) throw new Problem(`no task has at least ${least} needs`);
  return { ...placed(pool, tasks, size), ...(words && { words }) };
}

/**
 * Returns one common catalog for all tasks. If the needed tools of all tasks would be more than half of it, returns a
 * catalog for each task.
 */
function placed(pool, tasks, size = pool.length) {
  const neededBy = (some) => new Set(some.flatMap(({ needs }) => needs.flat()));
  const all = neededBy(tasks);
  if (all.size <= size / 2 || size === pool.length) {
    return { catalogs: [fill(pool, all, size, SEED)], tasks: tasks.map((task) => ({ ...task, catalog: 0 })) };
  }
  return {
    catalogs: tasks.map((task) => fill(pool, neededBy([task]), size, `${SEED} ${task.id}`)),
    tasks: tasks.map((task, catalog) => ({ ...task, catalog })),
  };
}

function ours(catalogs) {
  const asked = valuesOf(TASKS).map(({ id, text, needs, also = [] }) => ({ id, text, needs, also }));
  return { pool: poolOf(catalogs), asked };
}

/** Reads the queries of a labelled set as user requests, and the requests that no tool of the set serves. */
function labelled(folder) {
  const sets = readSets(folder);
  if (sets.length > 1) throw new Problem(`${folder} holds ${sets.length} sets: name the folder of one`);
  const [{ tools, queries, unserved, enrichment }] = sets;
  const pool = tools.map(asEntry);
  const labels = new Map(pool.map((entry) => [entry.tool.name, labelOf(entry)]));
  const asked = queries.map((query) => ({
    id: String(query.id),
    text: query.query,
    needs: needsOf(query).map((group) => group.flatMap((name) => labels.get(name) ?? [])),
    also: [],
  }));
  // In some sets, queries name tools that the catalog does not have. These are errors of the set and are left out.
  const right = asked.filter(({ needs }) => needs.length > 0 && needs.every((group) => group.length > 0));
  const foreign = unserved.map((text, at) => ({ id: `unserved-${at + 1}`, text, needs: [], also: [] }));
  return { pool, asked: [...right, ...foreign], words: enrichment };
}
