/** Compares the package, and so the wasm, with the native library on inputs of the fuzz target `steps`. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { difference } from "./measure.mjs";
import { nativeAnswers, stepsOf } from "./native.mjs";
import { at } from "../../../scripts/lib/paths.mjs";

/** Files whose steps are carried out at once. */
const AT_ONCE = 200;

/** Inputs of some folders, by path. */
export const inputsIn = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );

/** Carries out the steps of some inputs both ways. Answers how many there were, and where the first difference is, or null. */
export async function compare(files) {
  const { ToolSift } = await import(pathToFileURL(at("pkg", "dist", "index.js")).href);
  const { transform } = await import("esbuild");
  const source = readFileSync(at("tests", "runtimes", "lib", "program", "answers.mts"), "utf8");
  const { code } = await transform(source, { loader: "ts" });
  const { answers } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  let count = 0;
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const steps = await stepsOf(files.slice(from, from + AT_ONCE));
    const reason = difference({ found: 1, answers: answers(ToolSift, steps) }, await nativeAnswers(steps), steps);
    count += steps.length;
    if (reason !== null) return { count, reason };
  }
  return { count, reason: null };
}
