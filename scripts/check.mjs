/** `npm run check`: checks a change before a commit: formatting, linters, types, and the tests of the changed parts. */

import { relative } from "node:path";
import { provideBrowser } from "./browser.mjs";
import { capture } from "./capture.mjs";
import { format, lint, types, vitest } from "./lib/javascript.mjs";
import { options } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { dim, isCommand, main, step, tell } from "./lib/progress.mjs";
import { testPython } from "./lib/python-package.mjs";
import { Problem, run } from "./lib/run.mjs";
import { cargo, cargoTest } from "./lib/rust.mjs";

const HELP = `npm run check [-- --since COMMIT]

Checks the formatting, lints, checks the types, and runs the tests of what has changed: of JavaScript and TypeScript the nearest
that import it, of Rust those of its crate, of Python all that need no SDK, of data those that read it. npm test runs all others.
  --since COMMIT   what has changed after this commit; without it, what is not committed`;

/** The folders with slow tests: they build pages, or start other programs for minutes. */
const LONG = ["browser", "site", "runtimes", "memory", "examples"];

/**
 * The most test files that are run. Most changes of the package touch half of all tests, because each entry imports most of
 * it.
 */
const MAX_FILES = 12;

/** Parts of the paths of the tests of a folder of the package that no test is named for. */
const CALLED = new Map([
  ["core", ["cases", "package"]],
  ["hop", ["proxy"]],
  ["trust", ["guard", "suspicious"]],
  ["upstream", ["mcp"]],
  ["wire", ["apis"]],
]);

/** Files that no module imports, and parts of the paths of tests that read them. The first row that fits counts. */
const READERS = [
  [/^tests\/cases\/client-configurations\./, ["package/servers.test"]],
  [/^tests\/cases\/records\./, ["store/merging.test"]],
  [/^tests\/conversations\//, ["adapters/openai-chat.test", "cli/gateway-conversations.test", "proxy/contract.test"]],
  [/^tests\/\w+\/types\//, ["/types.test"]],
  [/^tests\/cli\/transcripts\//, ["cli/transcripts.test"]],
  [/^tests\/proxy\//, ["proxy/contract.test"]],
  [/^tests\/[\w-]+\/(?!.*\.(rs|mjs)$)/, (folder) => [folder]],
  [/^pkg\/packs\//, ["/packs.test"]],
  [/^docs\/|^README\.md$/, ["/snippets.test"]],
];

function readersOf(file) {
  const [pattern, readers] = (!file.endsWith(".mjs") && READERS.find(([one]) => one.test(file))) || [];
  return typeof readers === "function" ? readers(pattern.exec(file)[0]) : (readers ?? []);
}

/** Matches the files that cargo compiles, and the recorded cases, which Rust plays too. */
const RUST = /\.rs$|^src\/|^crates\/\w+\/src\/|^Cargo\./;
const RECORDED = /^tests\/cases\/.*\.md$/;
/** Matches the crates whose tests are those of JavaScript and Python. */
const BINDINGS = /^crates\/(wasm|python)\//;

/** Matches the files that tests of both JavaScript and Python use. */
const SHARED =
  /^(python|crates\/python|tests\/conversations|tests\/runtimes\/lib|pkg\/packs)\/|^tests\/cases\/(client|records)|^pkg\/src\/\w+\/\w+\.json$/;

/** Returns the paths that changed after a commit, also of untracked files, relative to the root of the repository. */
async function changed(since) {
  const list = async (...args) => (await run("git", args)).stdout.split("\n").filter(Boolean);
  return [...(await list("diff", "--name-only", since)), ...(await list("ls-files", "--others", "--exclude-standard"))];
}

/** Returns the test files that import changed files. Tests whose names are most similar to a changed path come first. */
async function touched(files, since) {
  if (!files.some((file) => /\.(ts|mts|mjs|json)$/.test(file))) return [];
  const without = LONG.flatMap((folder) => ["--project", `!${folder}`]);
  const { stdout } = await vitest(["list", "--changed", since, "--filesOnly", "--json", ...without]);
  const found = JSON.parse(stdout.slice(stdout.indexOf("["))).map(({ file }) => relative(root, file));
  const named = files.flatMap((file) => file.match(/[a-z]+/g));
  const words = new Set(named.flatMap((word) => [word, ...(CALLED.get(word) ?? [])]));
  const shared = (test) =>
    new Set(test.match(/[a-z]+/g).filter((word) => words.has(word))).size + (files.includes(test) ? 100 : 0);
  return [...new Set(found)].sort((one, other) => shared(other) - shared(one));
}

/** Returns the crates of some files, as arguments for cargo. */
function cratesOf(files) {
  const names = files
    .map((file) => /^crates\/(\w+)\//.exec(file)?.[1])
    .map((name) => (name ? `toolsift-${name}` : "toolsift"));
  return [...new Set(names)].flatMap((name) => ["-p", name]);
}

/** Runs the tests of the files. If a test runner fails, its failure is shown, and the other runners still run. */
async function test(files, since) {
  let failed = false;
  const ran = async (work) => {
    failed = (await work({ inherit: true, fails: false })).code !== 0 || failed;
  };
  const inRust = files.filter((file) => RUST.test(file) && !BINDINGS.test(file));
  if (inRust.length > 0) {
    await step("tests of Rust", () => cargoTest(...cratesOf(inRust)));
    tell(dim("npm run build && npm test tests what JavaScript sees of Rust"));
  } else if (files.some((file) => RECORDED.test(file))) {
    await step("recorded cases in Rust", () => cargo("test", "--locked", "--quiet", "--test", "all", "cases::"));
  }
  const near = await step("finding the tests that a change touches", () => touched(files, since));
  if (near.length > MAX_FILES)
    tell(dim(`${near.length - MAX_FILES} more test files import what has changed; npm test runs them`));
  if (near.length > 0) await ran((how) => vitest(["run", ...near.slice(0, MAX_FILES)], how));
  const readers = new Set(files.flatMap(readersOf));
  if (readers.size > 0) await ran((how) => vitest(["run", ...readers], how));
  if (files.some((file) => SHARED.test(file))) await step("tests of Python", testPython);
  if (failed) throw new Problem("tests failed: npm test -- FILE runs one alone");
}

if (isCommand(import.meta.url)) {
  const { since = "HEAD" } = options({ since: { type: "string" } }, HELP);
  await main(async () => {
    const files = await changed(since);
    if (files.some((file) => file.endsWith(".rs"))) await step("Rust formatting", () => cargo("fmt", "--all", "--check"));
    await step("formatting", format);
    await Promise.all([step("linting", lint), step("checking the types", types)]);
    process.env.CHROME_PATH = await provideBrowser();
    await capture();
    await test(files, since);
  });
}
