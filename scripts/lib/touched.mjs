/** Which test files import what has changed, through the package's sources and through each other's helpers. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { at, root } from "./paths.mjs";
import { run } from "./run.mjs";

/** Folders whose tests need a browser, other programs, or a built page. */
const LONG = ["browser", "site", "runtimes", "memory"];

/** An entry of the package, as a program or the path of a file names it. */
const NAMED = /["']toolsift(?:\/([\w-]+))?["']|["`]([\w-]+)\.js["`]/g;

/** The paths that have changed after a commit, also those that git does not know yet, from the root of the repository. */
export async function changed(since) {
  const list = async (...args) => (await run("git", args)).stdout.split("\n").filter(Boolean);
  return [...(await list("diff", "--name-only", since)), ...(await list("ls-files", "--others", "--exclude-standard"))];
}

/** The test files that import one of these, those that import least first: they are the nearest to it. */
export async function touched(files) {
  if (files.length === 0) return [];
  const inputs = await importsOf(testFiles());
  const wanted = new Set(files);
  const found = [...inputs].filter(([, imports]) => imports.some((file) => wanted.has(file)));
  return found.sort(([, one], [, other]) => one.length - other.length).map(([test]) => test);
}

function testFiles() {
  const folders = readdirSync(at("tests")).filter((name) => !name.includes(".") && !LONG.includes(name));
  return folders.flatMap((folder) => {
    const names = readdirSync(at("tests", folder)).filter((name) => name.endsWith(".test.mjs"));
    return names.map((name) => join("tests", folder, name));
  });
}

/**
 * What each test file imports, directly or not: `[test, paths]`. Tests load the installed package in several ways; each entry that
 * they name counts with its sources.
 */
async function importsOf(tests) {
  const entries = await inputsOf(Object.values(entriesOf()));
  const sourcesOf = new Map(Object.entries(entriesOf()).map(([name, file]) => [name, entries.get(file)]));
  return [...(await inputsOf(tests))].map(([test, inputs]) => {
    const own = inputs.filter((file) => file.startsWith("tests/"));
    const text = own.map((file) => readFileSync(at(file), "utf8")).join("\n");
    const named = [...text.matchAll(NAMED)].map(([, entry, file]) => entry ?? file ?? "index");
    return [test, [...new Set([...inputs, ...named.flatMap((name) => sourcesOf.get(name) ?? [])])]];
  });
}

/** The entries of the package: name and source. */
function entriesOf() {
  const folders = ["", "adapters"].flatMap((above) => {
    const folder = at("pkg", "src", above);
    const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "index.ts")));
    return names.map((name) => [name, join("pkg", "src", above, name, "index.ts")]);
  });
  return { ...Object.fromEntries(folders), index: "pkg/src/entry/inline.ts", slim: "pkg/src/entry/slim.ts" };
}

/** The files that each of some files imports, directly or not. */
async function inputsOf(entryPoints) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    outdir: at("target", "touched"),
    logLevel: "silent",
    plugins: [{ name: "sources", setup: asSources }],
  });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, inputs }) => [entryPoint, Object.keys(inputs)]));
}

/** What stands in the built folder of the command line is its source; packages are left out. */
function asSources({ onResolve }) {
  onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
    if (kind === "entry-point") return undefined;
    const full = path.startsWith(".") ? relative(root, join(resolveDir, path)) : path;
    const cli = /^cli\/dist\/(.*)\.js$/.exec(full);
    if (cli) return { path: at("cli", "src", `${cli[1]}.ts`) };
    if (!path.startsWith(".")) return { path, external: true };
    const typescript = join(resolveDir, path.replace(/\.js$/, ".ts"));
    return existsSync(typescript) ? { path: typescript } : undefined;
  });
}
