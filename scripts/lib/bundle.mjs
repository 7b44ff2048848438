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

/** The module that replaces packs in bundles for edge runtimes. */
const noPacks = at("pkg", "src", "packs", "none.ts");
/** The module that replaces the background writing of search words in these bundles. */
const noBackground = at("pkg", "src", "author", "background", "none.ts");

/** Modules that are loaded on demand and are not entries of the package. */
const inside = { background: at("pkg", "src", "author", "background", "background.ts") };

/** Returns the other entries besides the index, among them the adapters of all SDKs, by their paths in dist. */
export const extras = () => {
  const names = readdirSync(adaptersDir, { withFileTypes: true }).filter((one) => one.isDirectory() && one.name !== "lib");
  const adapters = names.map(({ name }) => [`adapters/${name}`, join(adaptersDir, name, "index.ts")]);
  const folders = ["store", "gateway", "proxy", "author", "packs", "trust", "otel", "internal"];
  const own = folders.map((name) => [name === "trust" ? "guard" : name, at("pkg", "src", name, "index.ts")]);
  return Object.fromEntries([...own, ...adapters]);
};

/**
 * Builds pkg/dist unless it is up to date. Without `types`, builds only the JavaScript, which takes a second. The old
 * declarations stay, and the next build with types makes everything.
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

/** Writes the JavaScript files and removes the old ones. */
async function writeScripts() {
  for (const file of filesUnder(dist)) if (!file.endsWith(".d.ts")) rmSync(file);
  mkdirSync(join(cjs, "packs"), { recursive: true });
  const build = writeCore();
  await bundle(build, writePacks());
}

/**
 * Writes the wasm as a file and as a module with text. One module serves both kinds: it is CommonJS for Node, and also a
 * valid ES module. Returns the name of the build, which is also stored at the end of the wasm file.
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

/**
 * Writes the packs and the translations as files that both module kinds load, like the wasm. Returns the modules of the
 * packs.
 */
function writePacks() {
  const modules = packModules();
  for (const { name, text } of [...modules, ...translationModules()]) writeFileSync(join(cjs, "packs", `${name}.js`), text);
  return modules;
}

/** Returns the global key under which a module leaves the text of the wasm. */
const keyOf = (build) => `toolsift.wasm.${build}`;

/** Returns a custom section of a wasm file, with a name and a text. Each length must fit into one byte. */
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
    // SDKs are not bundled: an application that imports an adapter has its SDK installed.
    packages: "external",
    logLevel: "silent",
  };
  const hexAt = (path) => ({
    name: "hex",
    setup: ({ onResolve }) => onResolve({ filter: /^toolsift:hex$/ }, () => ({ path, external: true, sideEffects: true })),
  });
  // These are imported by name, so that the conditions of `exports` and `imports` choose the wasm and the packs of the
  // runtime.
  const selfAt = (self, packs, background) => ({
    name: "self",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^toolsift:self$/ }, () => ({ path: self, external: true }));
      onResolve({ filter: /^toolsift:packs$/ }, () => ({ path: packs, external: true }));
      onResolve({ filter: /^toolsift:background$/ }, () => ({ path: background, external: true }));
    },
  });
  // Splitting puts shared code into common modules, so that a class is the same in all entries.
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
    // The source maps contain the sources. Bundles for `require` have none: they are not split and would repeat every
    // source.
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
  // CommonJS bundles cannot be split. So the other entries require the index, to share its error class.
  const others = Object.entries({ ...inside, ...extras() }).map(([name, entryPoint]) => {
    const up = name.includes("/") ? ".." : ".";
    const path = `${up}/index.js`;
    const errors = {
      name: "errors",
      setup: ({ onResolve }) => onResolve({ filter: /\/errors\.js$/ }, () => ({ path, external: true })),
    };
    // Modules that are loaded on demand are required, so that they share their classes with the program.
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

/** Writes the types with tsc. Only files that the public entries import are kept. */
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

/**
 * Adds references to the libraries with `Symbol.dispose` and `Symbol.asyncDispose`, so that programs with an older `lib`
 * compile.
 */
function nameLibraries(file) {
  const text = readFileSync(file, "utf8");
  if (/\[Symbol\.(dispose|asyncDispose)\]/.test(text))
    writeFileSync(file, `/// <reference lib="esnext.disposable" />\n${text}`);
}

/** Returns these declaration files and all declaration files that they import. */
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
