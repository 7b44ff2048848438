/** Bundles pkg/dist: one bundle for each kind of runtime, the wasm next to them, and types for ES modules and CommonJS. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { BUNDLED, bundleThem } from "./bundled.mjs";
import { filesUnder, hash, unlessFresh } from "./fresh.mjs";
import { versionOf } from "./modules.mjs";
import { packIndexAt, packModules, translationModules } from "./packs/modules.mjs";
import { packsDir } from "./packs/read.mjs";
import { at } from "./paths.mjs";
import { node } from "./run.mjs";
import { coreDir } from "./wasm.mjs";

const dist = at("pkg", "dist");
const cjs = join(dist, "cjs");
const wasm = join(coreDir, "toolsift_bg.wasm");
const adaptersDir = at("pkg", "src", "adapters");
const entry = (name) => at("pkg", "src", "entry", `${name}.ts`);

/** What the edge has in the place of packs. */
const noPacks = at("pkg", "src", "packs", "none.ts");
/** And in the place of what writes words. */
const noBackground = at("pkg", "src", "author", "background", "none.ts");

/** What is loaded on demand, and is no entry that a program could name. */
const inside = { background: at("pkg", "src", "author", "background", "background.ts") };

/** What is more than the index, by its place in dist: the files of the other entries, and of an adapter for each SDK. */
export const extras = () => {
  const names = readdirSync(adaptersDir, { withFileTypes: true }).filter((one) => one.isDirectory() && one.name !== "lib");
  const adapters = names.map(({ name }) => [`adapters/${name}`, join(adaptersDir, name, "index.ts")]);
  const folders = ["store", "gateway", "proxy", "author", "packs", "trust", "otel", "internal"];
  const own = folders.map((name) => [name === "trust" ? "guard" : name, at("pkg", "src", name, "index.ts")]);
  return Object.fromEntries([...own, ...adapters]);
};

/**
 * Builds pkg/dist unless it is up to date. Without `types` only the JavaScript, which takes a second, for a person who waits; the
 * declarations stay as they were, and the next build with types makes all of it.
 */
export function buildBundles({ force, types = true } = {}) {
  const here = ["bundle.mjs", "bundled.mjs", "wasm.mjs", "packs"].map((name) => at("scripts", "lib", name));
  const configs = ["package.json", "tsconfig.json", "tsconfig.build.json"].map((name) => at("pkg", name));
  const inputs = [at("pkg", "src"), packsDir, coreDir, ...configs, ...here];
  const settings = ["esbuild", "typescript", ...BUNDLED].map(versionOf);
  const files = { inputs, settings, outputs: [dist], force };
  return unlessFresh("bundle", files, async () => {
    if (!types) {
      await unlessFresh("scripts", files, writeScripts);
      return false;
    }
    rmSync(dist, { recursive: true, force: true });
    await writeScripts();
    await declare();
    return true;
  });
}

/** The JavaScript, in place of what there is. */
async function writeScripts() {
  for (const file of filesUnder(dist)) if (!file.endsWith(".d.ts")) rmSync(file);
  mkdirSync(join(cjs, "packs"), { recursive: true });
  const build = writeCore();
  await bundle(build, writePacks());
}

/**
 * Writes the wasm as a file, and as text: once for both module kinds, in a folder whose files are CommonJS for Node,
 * written so that they are valid ES modules too. Returns the name of the build, which the file carries at its end.
 */
function writeCore() {
  const core = readFileSync(wasm);
  const build = hash(core).slice(0, 16);
  const named = Buffer.concat([core, customSection("toolsift", build)]);
  writeFileSync(join(dist, "toolsift.wasm"), named);
  writeFileSync(join(cjs, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(cjs, "wasm.js"), `globalThis[Symbol.for("${keyOf(build)}")] = "${named.toString("hex")}";\n`);
  return build;
}

/** Writes the words of each pack and the tables of translations, once for both module kinds, as the wasm. Returns the modules of the packs. */
function writePacks() {
  const modules = packModules();
  for (const { name, text } of [...modules, ...translationModules()]) writeFileSync(join(cjs, "packs", `${name}.js`), text);
  return modules;
}

/** The key under which the text is left. */
const keyOf = (build) => `toolsift.wasm.${build}`;

/** A section of a wasm file that only says something; one byte is enough for each of the lengths. */
function customSection(name, content) {
  const [key, value] = [Buffer.from(name), Buffer.from(content)];
  return Buffer.concat([Buffer.from([0, key.length + value.length + 1, key.length]), key, value]);
}

async function bundle(name, modules) {
  const { build } = await import("esbuild");
  const common = {
    bundle: true,
    target: "es2022",
    platform: "neutral",
    define: { HEX_KEY: JSON.stringify(keyOf(name)), BUILD: JSON.stringify(name) },
    external: ["./toolsift.wasm", "./toolsift.wasm?module"],
    // SDKs are the host's own: whoever imports an adapter has them.
    packages: "external",
    logLevel: "silent",
  };
  const hexAt = (path) => ({
    name: "hex",
    setup: ({ onResolve }) => onResolve({ filter: /^toolsift:hex$/ }, () => ({ path, external: true, sideEffects: true })),
  });
  // By their names: the conditions of `exports` and `imports` choose the wasm for the runtime, and packs or none.
  const selfAt = (self, packs, background) => ({
    name: "self",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^toolsift:self$/ }, () => ({ path: self, external: true }));
      onResolve({ filter: /^toolsift:packs$/ }, () => ({ path: packs, external: true }));
      onResolve({ filter: /^toolsift:background$/ }, () => ({ path: background, external: true }));
    },
  });
  // Split, so that code common to the entries is one module: its classes are the same whichever entry is imported.
  const esm = build({
    ...common,
    entryPoints: {
      index: entry("inline"),
      workerd: entry("workerd"),
      edge: entry("edge"),
      slim: entry("slim"),
      "no-packs": noPacks,
      "no-background": noBackground,
      ...inside,
      ...extras(),
    },
    format: "esm",
    splitting: true,
    // With the sources in them. Only here: bundles for `require` cannot be split, so theirs would repeat every source.
    sourcemap: true,
    chunkNames: "shared-[hash]",
    outdir: dist,
    plugins: [
      bundleThem,
      hexAt("./cjs/wasm.js"),
      selfAt("toolsift", "#packs", "#background"),
      packIndexAt(modules, "./cjs/packs"),
    ],
  });
  const index = build({
    ...common,
    entryPoints: { index: entry("inline") },
    format: "cjs",
    outdir: cjs,
    plugins: [bundleThem, hexAt("./wasm.js")],
  });
  // CommonJS cannot be split: what is more than the index requires it, for the one error class that is there.
  const others = Object.entries({ ...inside, ...extras() }).map(([name, entryPoint]) => {
    const up = name.includes("/") ? ".." : ".";
    const path = `${up}/index.js`;
    const errors = {
      name: "errors",
      setup: ({ onResolve }) => onResolve({ filter: /\/errors\.js$/ }, () => ({ path, external: true })),
    };
    // What is loaded on demand is required, so that it is the same module as the program's own.
    const supported = { "dynamic-import": false };
    const plugins = [
      bundleThem,
      errors,
      selfAt(path, `${up}/packs.js`, `${up}/background.js`),
      packIndexAt(modules, "./packs"),
    ];
    return build({ ...common, supported, entryPoints: { [name]: entryPoint }, format: "cjs", outdir: cjs, plugins });
  });
  await Promise.all([esm, index, ...others]);
}

/** Types: tsc writes them once; of what it writes, only what the public entries lead to is kept. */
async function declare() {
  const tsc = at("node_modules", "typescript", "bin", "tsc");
  await node(tsc, ["-p", at("pkg", "tsconfig.build.json")]);
  const sources = [at("pkg", "src", "index.ts"), ...Object.values(extras())];
  const main = reachable(sources.map((file) => join(dist, relative(at("pkg", "src"), file).replace(/\.ts$/, ".d.ts"))));
  const kept = reachable([...main, join(dist, "entry", "slim.d.ts")]);
  for (const file of filesUnder(dist)) if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
  kept.forEach(nameLibraries);
  for (const file of main) copyInto(cjs, file);
  const says = "/** The compiled core, as a runtime that imports wasm gives it. */";
  const module = `${says}\ndeclare const module: WebAssembly.Module;\nexport default module;\n`;
  writeFileSync(join(dist, "toolsift.wasm.d.ts"), module);
}

/** `Symbol.dispose` and `Symbol.asyncDispose` are newer than the standard library that many programs name; they compile all the same. */
function nameLibraries(file) {
  const text = readFileSync(file, "utf8");
  if (/\[Symbol\.(dispose|asyncDispose)\]/.test(text))
    writeFileSync(file, `/// <reference lib="esnext.disposable" />\n${text}`);
}

/** The declaration files that some lead to, themselves included. */
function reachable(files, seen = new Set()) {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const named = [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)];
    const next = named.map(([, path]) => resolve(dirname(file), `${path}.d.ts`));
    reachable(
      next.filter((path) => existsSync(path)),
      seen,
    );
  }
  return seen;
}

function copyInto(folder, file) {
  const target = join(folder, relative(dist, file));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
}
