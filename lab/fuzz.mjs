/** `npm run fuzz`: searches with coverage-guided fuzzing for inputs that break a guarantee of the Rust library. */

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { build } from "../scripts/build.mjs";
import { fuzz, keep, replay } from "./fuzz/session.mjs";
import { buildTargets, chosen, foldersOf, targets } from "./fuzz/targets.mjs";
import { compare, inputsIn } from "../tests/runtimes/lib/fuzzed.mjs";
import { numberOf, options } from "../scripts/lib/options.mjs";
import { bold, dim, green, isCommand, main, red, step, tell } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";

/** The default time for each target, in seconds. */
const SECONDS = 600;
/** The time between two progress lines, in ms. */
const TOLD_EVERY = 30_000;

const HELP = `npm run fuzz [-- TARGET…] [--seconds N] [--jobs N] [--keep] [--no-wasm] [--list]
npm run fuzz -- TARGET --input FILE

Fuzzes each target of lab/fuzz/fuzz_targets with libFuzzer, then compares the wasm with the native library on the inputs of the
target "steps". A target ends at the first input that breaks it; that input stays in lab/fuzz/artifacts, and the command that runs
it again is printed. Inputs that reach something new stay in lab/fuzz/grown, for the next run. Needs Rust and a C++ compiler.
  --seconds N   for each target; ${SECONDS} unless told otherwise
  --jobs N      targets at a time; as many as there are processors unless told otherwise
  --keep        adds to lab/fuzz/corpus the inputs that reach what it does not reach yet, as few as possible
  --no-wasm     leaves the comparison with the wasm out
  --input FILE  runs one target once, with the bytes of a file
  --list        the targets by name`;

const many = (number) => number.toLocaleString("en");

/** Runs one target as a step, with a line of figures from time to time. */
async function session(program, target, seconds) {
  let told = Date.now();
  const onNumbers = ({ runs, reached }) => {
    if (Date.now() - told < TOLD_EVERY) return;
    told = Date.now();
    tell(dim(`  … ${target}: ${many(runs)} runs, ${many(reached)} places reached`));
  };
  try {
    return await step(target, async () => {
      const result = await fuzz(program, target, { seconds, onNumbers });
      if (result.broken !== undefined) throw Object.assign(new Problem(result.broken.words), { result });
      const { runs, speed, reached, added } = result;
      result.summary = `${many(runs)} runs, ${many(speed)}/s, ${many(reached)} places reached, ${added} new inputs`;
      return result;
    });
  } catch (error) {
    if (error.result === undefined) throw error;
    const { broken } = error.result;
    console.error(`${red(`${target} is broken:`)}\n${broken.words}`);
    if (broken.input !== undefined) console.error(`again: ${bold(`npm run fuzz -- ${target} --input ${broken.input}`)}`);
    return error.result;
  }
}

/** Runs the targets, several in parallel, and returns the results in the order of the names. */
async function runAll(names, programOf, { seconds, jobs }) {
  const results = new Map();
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      results.set(name, await session(programOf(name), name, seconds));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return names.map((name) => results.get(name));
}

/** Compares the wasm with the native library, and returns whether they agree. */
async function wasm() {
  await build();
  const { kept, grown } = foldersOf("steps");
  const { reason } = await step("the wasm against the native library", async () => {
    const { count, reason } = await compare(inputsIn(kept, grown));
    return { reason, summary: `${many(count)} steps` };
  });
  if (reason !== null) console.error(red(`the wasm answers otherwise: ${reason}`));
  return reason === null;
}

async function again(names, file) {
  if (names.length !== 1) throw new Problem("--input needs the name of one target");
  const programOf = await step(`building ${names[0]}`, () => buildTargets(names));
  const words = await replay(programOf(names[0]), resolve(process.env.INIT_CWD ?? ".", file));
  if (words !== null) console.error(words);
  console.log(words === null ? green("it holds") : red("it is broken"));
  return words === null ? 0 : 1;
}

async function command(asked) {
  const { names, input, list } = asked;
  if (list) return void console.log(targets().join("\n"));
  const wanted = chosen(names);
  if (input !== undefined) return again(names, input);
  const seconds = numberOf("seconds", asked.seconds ?? String(SECONDS), 1, 1_000_000);
  const jobs = numberOf("jobs", asked.jobs ?? String(availableParallelism()), 1, 64);
  const programOf = await step(`building ${wanted.length} targets`, () => buildTargets(wanted));
  const results = await runAll(wanted, programOf, { seconds, jobs });
  const lost = results.filter(({ broken }) => broken !== undefined).map(({ target }) => target);
  if (asked.keep) {
    for (const target of wanted.filter((name) => !lost.includes(name))) {
      await step(`keeping what is new of ${target}`, async () => ({
        summary: `${await keep(programOf(target), target)} inputs`,
      }));
    }
  }
  const agrees = asked["no-wasm"] || !wanted.includes("steps") || (await wasm());
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  const words = lost.length > 0 ? red(`broken: ${lost.join(", ")}`) : green("nothing broke");
  console.log(`${words}: ${results.length} targets, ${many(runs)} runs`);
  return lost.length === 0 && agrees ? 0 : 1;
}

if (isCommand(import.meta.url)) {
  const flag = { type: "boolean" };
  const text = { type: "string" };
  const spec = { seconds: text, jobs: text, input: text, keep: flag, "no-wasm": flag, list: flag };
  const asked = options(spec, HELP, { operands: "names" });
  await main(() => command(asked));
}
