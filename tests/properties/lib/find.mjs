/** Looks for arguments that break a promise, and makes them as few and as simple as they can be. */

import fc from "fast-check";
import { edit } from "./hostile.mjs";
import { player } from "./play.mjs";

const edits = fc.array(edit, { minLength: 1, maxLength: 3 });

/**
 * Plays a target with its right arguments, and then `runs` times with changed ones.
 *
 * @param options `path`, from an earlier find, repeats that find alone
 * @returns undefined, or what was found: `{ message, seed, path }`
 */
export async function find(target, { makeWorld, runs, seed, path }) {
  const play = await player(target, makeWorld);
  await play([]);
  const property = fc.asyncProperty(edits, async (made) => void (await play(made)));
  const { failed, counterexamplePath, counterexample, errorInstance } = await fc.check(property, {
    numRuns: runs,
    seed,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (!failed) {
    await play.end();
    return undefined;
  }
  const message = `after ${fc.stringify(counterexample)}:\n${errorInstance?.stack ?? errorInstance}`;
  return { message, seed, path: counterexamplePath };
}

/** The command that repeats a find. */
export const again = (target, { seed, path }) =>
  `TOOLSIFT_SEED=${seed} TOOLSIFT_PATH=${path} npm test -- --project properties -t ${JSON.stringify(target.title)}`;
