/**
 * Plays a target with unexpected data. A target is `{ title, args, run }`: a name, correct arguments, and the call. Each run
 * changes one to three places in the correct arguments.
 *
 * Every run must end with a result or a `ToolSiftError`. Nothing is printed to the console, no rejection is unhandled, and
 * the same instance still answers a fixed script as before, also after an error.
 *
 * `changes` of a target means that a failed call may have done a part of its work.
 */

import assert from "node:assert/strict";
import { edited } from "./hostile.mjs";

/** Milliseconds within which every run ends; the longest bound of an option here is a fraction of it. */
const ENDS = 20_000;

/** What was written to the console, and what was rejected and not handled, since it was last asked. */
const noise = [];
let isWatched = false;
for (const name of ["log", "info", "warn", "error", "debug", "trace"]) {
  const { [name]: real } = console;
  console[name] = (...said) =>
    isWatched ? void noise.push(`console.${name}: ${said.map(String).join(" ")}`) : real(...said);
}
process.on("unhandledRejection", (reason) => void noise.push(`an unhandled rejection: ${reason?.stack ?? reason}`));

/** Plays one target again and again on the same instance, as long as that is as it was. */
export async function player(target, makeWorld) {
  let world = await makeWorld();
  let before = await world.answers();
  async function play(made) {
    const args = edited(await target.args(world), made);
    noise.length = 0;
    isWatched = true;
    const { error, failed } = await ended(() => target.run(world, ...args)).finally(() => (isWatched = false));
    assert.deepEqual(noise, [], "nothing is written, and no rejection is left");
    if (made.length === 0) assert.ok(!failed, `arguments that are right: ${error?.stack ?? error}`);
    if (failed) {
      assert.ok(isOurs(error), `not an error of ours: ${error?.stack ?? error}`);
      assert.notEqual(error.code, "internal", error.stack);
    }
    const after = await world.answers();
    if (failed && !target.changes) assert.deepEqual(after, before, "an error has changed nothing");
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await world.end?.();
      world = await makeWorld();
      before = await world.answers();
    }
  }
  return Object.assign(play, { end: () => world.end?.() });
}

async function ended(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it has not ended after ${ENDS} ms`)), ENDS);
  });
  try {
    await Promise.race([(async () => work())(), late]);
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
