/**
 * Plays a target with hostile arguments. A target is `{ names, args, run }`: what of the public surface it calls, arguments
 * that are right, and the call. Each run changes one to three places of the right arguments to something hostile.
 *
 * What must hold, for every run: it ends with a result or with a `ToolSiftError` of a published code; nothing is written to
 * the console; no rejection is left unhandled; and the same instance answers a fixed script as before, also after an error.
 *
 * More of a target: `passes`, where the host's own functions are called, whose errors are the host's; `changes`, where a call
 * that failed may have done a part of its work; `says`, what may be written to the console.
 */

import assert from "node:assert/strict";
import { edited, HostError } from "./hostile.mjs";
import { publishedCodes } from "./surface.mjs";

/** Milliseconds within which every run ends; the longest bound of an option here is a fraction of it. */
const ENDS = 20_000;

const CODES = publishedCodes();

/** What was written to the console, and what was rejected and not handled, since it was last asked. */
const noise = [];
let isWatched = false;
for (const name of ["log", "info", "warn", "error", "debug", "trace"]) {
  const { [name]: real } = console;
  console[name] = (...said) => (isWatched ? void noise.push(`console.${name}: ${said.map(safeText).join(" ")}`) : real(...said));
}
process.on("unhandledRejection", (reason) => void noise.push(`an unhandled rejection: ${stackOf(reason)}`));

function safeText(value) {
  try {
    return String(value).slice(0, 300);
  } catch {
    return "what cannot be written";
  }
}

function stackOf(value) {
  try {
    return safeText(value?.stack ?? value);
  } catch {
    return "what cannot be read";
  }
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
    if (made.length === 0) assert.ok(!failed, `arguments that are right: ${stackOf(error)}`);
    if (failed && !(target.passes && isOfTheHost(error))) {
      assert.ok(isOurs(error), `not an error of ours: ${stackOf(error)}`);
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
    return args;
  }
  return Object.assign(play, { end: () => world.end?.() });
}

async function ended(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it has not ended after ${ENDS} ms`)), ENDS);
  });
  try {
    // In an object: what a call returns may be a promise of the host's.
    await Promise.race([(async () => ({ result: await work() }))(), late]);
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

/** What the engine says of the host's proxy, of its proxy of a promise, and of its class that is no function. */
const OF_THE_ENGINE = /proxy that has been revoked|^Method Promise\.prototype\.then called on incompatible receiver|^Class constructors? .*without 'new'/;

/** What the host's own code has thrown, or what the engine says of it. */
function isOfTheHost(error) {
  if (error instanceof HostError) return true;
  return error instanceof TypeError && OF_THE_ENGINE.test(error.message);
}
