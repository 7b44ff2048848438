/**
 * Plays targets with hostile arguments. A target is `{ names, args, run }`: what of the public surface it calls, arguments
 * that are right, and the call. Each run changes one to three places of the right arguments to something hostile.
 *
 * What must hold, for every run: it ends with a result or with a `ToolSiftError` of a published code; nothing is written to
 * the console; no rejection is left unhandled; and the same instance answers a fixed script as before, also after an error.
 *
 * The environment chooses how long it takes and repeats a failure: TOOLSIFT_PROPERTY_RUNS, TOOLSIFT_PROPERTY_SEED and
 * TOOLSIFT_PROPERTY_PATH, as `npm run properties` sets them.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { appWith } from "../../adapters/lib/app.mjs";
import { edit, edited, HostError } from "./hostile.mjs";
import { optionInterfaces, publishedCodes } from "./surface.mjs";

/** So many runs of each target fit into `npm test`. */
const RUNS = Number(process.env.TOOLSIFT_PROPERTY_RUNS ?? 60);
/** `npm test` tries the same values every time; `npm run properties` others. */
const SEED = Number(process.env.TOOLSIFT_PROPERTY_SEED ?? 20_261_123);
const PATH = process.env.TOOLSIFT_PROPERTY_PATH;

/** Milliseconds within which every run ends; the longest bound of an option here is a fraction of it. */
const ENDS = 20_000;

const CODES = publishedCodes();
const edits = fc.array(edit, { minLength: 1, maxLength: 3 });

/** What was written to the console, and what was rejected and not handled, since it was last asked. */
const noise = [];
for (const name of ["log", "info", "warn", "error", "debug", "trace"]) {
  const { [name]: real } = console;
  console[name] = (...said) => (isWatched ? void noise.push(`console.${name}: ${said.map(safeText).join(" ")}`) : real(...said));
}
let isWatched = false;
process.on("unhandledRejection", (reason) => void noise.push(`an unhandled rejection: ${reason?.stack ?? safeText(reason)}`));

function safeText(value) {
  try {
    return String(value).slice(0, 300);
  } catch {
    return "what cannot be written";
  }
}

/** The targets of an application as tests, and the test that these call every option with some value. */
export async function check({ packages, covers, targets, world, sparse }) {
  const app = await appWith(packages);
  const keys = new Set();
  for (const target of targets) {
    test(`${target.names.join(", ")}${target.about ? ` (${target.about})` : ""}`, async () => {
      const play = await player(target, () => world(app), sparse);
      const { args } = await play([]);
      collectKeys(args, keys);
      const property = fc.asyncProperty(edits, async (made) => void (await play(made)));
      const reporter = ({ failed, seed, counterexamplePath, counterexample, errorInstance, numRuns }) => {
        if (!failed) return;
        const again = `npm run properties -- --seed ${seed} --path ${counterexamplePath} --only ${JSON.stringify(target.names[0])}`;
        const what = `${target.names[0]}, run ${numRuns}, after ${fc.stringify(counterexample)}`;
        throw new Error(`${what}:\n${errorInstance?.stack ?? errorInstance}\n\nAgain: ${again}`);
      };
      await fc.assert(property, { numRuns: RUNS, seed: SEED, ...(PATH && { path: PATH, endOnFailure: true }), asyncReporter: async (run) => reporter(run) });
      await play.end();
    });
  }
  test("every option has a value here", () => {
    for (const [name, options] of optionInterfaces()) {
      if (!covers.some((one) => name === one || name.startsWith(`${one}.`))) continue;
      assert.deepEqual(options.filter((option) => !keys.has(option)), [], `options of ${name} that no target sets`);
    }
  });
}

/** Plays one target again and again on the same instance, as long as that is as it was. */
export async function player(target, makeWorld, sparse) {
  let world = await makeWorld();
  let before = await world.answers();
  async function play(made) {
    const args = edited(await target.args(world), made, sparse);
    noise.length = 0;
    isWatched = true;
    const { error, failed } = await ended(() => target.run(world, ...args)).finally(() => (isWatched = false));
    const heard = noise.filter((line) => !target.says?.test(line));
    assert.deepEqual(heard, [], "nothing is written, and no rejection is left");
    if (made.length === 0) assert.ok(!failed, `arguments that are right: ${error?.stack ?? safeText(error)}`);
    if (failed && !(target.passes && isOfTheHost(error))) {
      assert.ok(isOurs(error), `not an error of ours: ${error?.stack ?? safeText(error)}`);
      assert.ok(CODES.has(error.code), `the code ${error.code} is not published`);
      assert.notEqual(error.code, "internal", error.stack);
    }
    const after = await world.answers();
    if (failed && !target.changes) assert.deepEqual(after, before, "an error has changed nothing");
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await world.end?.();
      world = await makeWorld();
      before = await world.answers();
    }
    return { args, error };
  }
  return Object.assign(play, { end: () => world.end?.() });
}

async function ended(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it has not ended after ${ENDS} ms`)), ENDS);
  });
  try {
    await Promise.race([(async () => void (await work()))(), late]);
    return { failed: false };
  } catch (error) {
    return { failed: true, error };
  } finally {
    clearTimeout(timer);
    // Rejections that nobody handles are told after the microtasks.
    await new Promise(setImmediate);
  }
}

const BRAND = Symbol.for("toolsift.error");

function isOurs(error) {
  return error instanceof Error && BRAND in error;
}

/** What the host's own code has thrown, or what the engine says of its proxy. */
function isOfTheHost(error) {
  return error instanceof HostError || (error instanceof TypeError && /proxy that has been revoked/.test(error.message));
}

function collectKeys(value, keys, depth = 8) {
  if (typeof value !== "object" || value === null || depth === 0 || ArrayBuffer.isView(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    keys.add(key);
    collectKeys(inner, keys, depth - 1);
  }
}
