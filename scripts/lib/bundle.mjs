/** How does pkg/dist come about? One bundle per kind of runtime, the wasm beside them, and types for both module kinds. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { filesUnder, hash, unlessFresh } from "./fresh.mjs";
import { versionOf } from "./modules.mjs";
import { at } from "./paths.mjs";
import { node } from "./run.mjs";
import { coreDir } from "./wasm.mjs";

const dist = at("pkg", "dist");
const cjs = join(dist, "cjs");
const wasm = join(coreDir, "toolsift_bg.wasm");
const store = at("pkg", "src", "store", "index.ts");
const entry = (name) => at("pkg", "src", "entry", `${name}.ts`);

/** Builds pkg/dist unless it is up to date. */
export function buildBundles({ force } = {}) {
  const here = ["bundle.mjs", "wasm.mjs"].map((name) => at("scripts", "lib", name));
  const configs = ["package.json", "tsconfig.json", "tsconfig.build.json"].map((name) => at("pkg", name));
  const inputs = [at("pkg", "src"), coreDir, ...configs, ...here];
  const settings = [versionOf("esbuild"), versionOf("typescript")];
  return unlessFresh("bundle", { inputs, settings, outputs: [dist], force }, async () => {
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(cjs, { recursive: true });
    copyFileSync(wasm, join(dist, "toolsift.wasm"));
    const key = writeHex();
    await bundle(key);
    await declare();
  });
}

/**
 * The wasm as text, once for both module kinds: in a folder whose files are CommonJS for Node, written so that they are
 * valid ES modules too. Returns the key under which the text is left.
 */
function writeHex() {
  const hex = readFileSync(wasm).toString("hex");
  const key = `toolsift.wasm.${hash(hex).slice(0, 16)}`;
  writeFileSync(join(cjs, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(cjs, "wasm.js"), `globalThis[Symbol.for("${key}")] = "${hex}";\n`);
  return key;
}

async function bundle(key) {
  const { build } = await import("esbuild");
  const common = {
    bundle: true,
    target: "es2022",
    platform: "neutral",
    define: { HEX_KEY: JSON.stringify(key) },
    external: ["./toolsift.wasm", "./toolsift.wasm?module"],
    logLevel: "silent",
  };
  const hexAt = (path) => ({
    name: "hex",
    setup: ({ onResolve }) => onResolve({ filter: /^toolsift:hex$/ }, () => ({ path, external: true, sideEffects: true })),
  });
  // Split, so that code common to the entries is one module: its classes are the same whichever entry is imported.
  await build({
    ...common,
    entryPoints: { index: entry("inline"), workerd: entry("workerd"), edge: entry("edge"), slim: entry("slim"), store },
    format: "esm",
    splitting: true,
    chunkNames: "shared-[hash]",
    outdir: dist,
    plugins: [hexAt("./cjs/wasm.js")],
  });
  await build({
    ...common,
    entryPoints: { index: entry("inline") },
    format: "cjs",
    outdir: cjs,
    plugins: [hexAt("./wasm.js")],
  });
  // CommonJS cannot be split: what is more than the index requires it, for the one error class that is there.
  const errors = {
    name: "errors",
    setup: ({ onResolve }) => onResolve({ filter: /\/errors\.js$/ }, () => ({ path: "./index.js", external: true })),
  };
  await build({ ...common, entryPoints: { store }, format: "cjs", outdir: cjs, plugins: [errors] });
}

/** Types: tsc writes them once; of what it writes, only what the public entries lead to is kept. */
async function declare() {
  const tsc = at("node_modules", "typescript", "bin", "tsc");
  await node(tsc, ["-p", at("pkg", "tsconfig.build.json")]);
  const main = reachable(["index.d.ts", "store/index.d.ts"].map((name) => join(dist, name)));
  const kept = reachable([...main, join(dist, "entry", "slim.d.ts")]);
  for (const file of filesUnder(dist)) if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
  kept.forEach(nameLibraries);
  for (const file of main) copyInto(cjs, file);
  const says = "/** The compiled core, as a runtime that imports wasm gives it. */";
  const module = `${says}\ndeclare const module: WebAssembly.Module;\nexport default module;\n`;
  writeFileSync(join(dist, "toolsift.wasm.d.ts"), module);
}

/** `Symbol.dispose` is newer than the standard library that many programs name; they compile all the same. */
function nameLibraries(file) {
  const text = readFileSync(file, "utf8");
  if (text.includes("[Symbol.dispose]")) writeFileSync(file, `/// <reference lib="esnext.disposable" />\n${text}`);
}

/** The declaration files that some lead to, themselves included. */
function reachable(files, seen = new Set()) {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const named = [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)];
    const next = named.map(([, path]) => resolve(dirname(file), `${path}.d.ts`));
    reachable(next.filter((path) => existsSync(path)), seen);
  }
  return seen;
}

function copyInto(folder, file) {
  const target = join(folder, relative(dist, file));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
}
