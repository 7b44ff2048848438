/** Lets tests import `toolsift` and its entries from the TypeScript sources, without a build. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packIndex, packModules, translationModules } from "../../scripts/lib/packs/modules.mjs";
import { at } from "../../scripts/lib/paths.mjs";

/** Vite writes paths with slashes on every system. */
const inClone = (...parts) => at(...parts).replaceAll("\\", "/");
const src = (path) => inClone("pkg", "src", path);

/** The source of each entry, by the name that programs import, and of what the build provides. */
const SOURCES = {
  ...Object.fromEntries(Object.entries(exportsOf("pkg")).flatMap(sourceOf)),
  toolsift: src("entry/inline.ts"),
  "toolsift-cli": inClone("cli", "src", "main.ts"),
  "toolsift:self": src("entry/inline.ts"),
  "toolsift:packs": src("packs/index.ts"),
  "toolsift:background": src("author/background/background.ts"),
};

function exportsOf(folder) {
  return JSON.parse(readFileSync(at(folder, "package.json"), "utf8")).exports;
}

function sourceOf([name, target]) {
  const types = target.import?.types ?? target.types;
  const source = types && src(types.slice("./dist/".length).replace(/\.d\.ts$/, ".ts"));
  return source && existsSync(source) ? [[`toolsift${name.slice(1)}`, source]] : [];
}

export const alias = Object.entries(SOURCES).map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));

const wasm = at("pkg", "core", "toolsift_bg.wasm");
const build = existsSync(wasm) ? createHash("sha256").update(readFileSync(wasm)).digest("hex").slice(0, 16) : "none";
const key = `toolsift.wasm.${build}`;

/** What the build fills in. */
export const define = { HEX_KEY: JSON.stringify(key), BUILD: JSON.stringify(build) };

let packs;
const allPacks = () => (packs ??= packModules());

/** The modules that the build writes: the wasm as text, the index of the packs, and the words of each pack. */
export const provided = {
  name: "provided",
  resolveId: (id) => (/^toolsift:(hex|pack-index|pack\/.*)$/.test(id) ? `\0${id}` : undefined),
  load(id) {
    if (id === "\0toolsift:hex") {
      return `import { readFileSync } from "node:fs";
globalThis[Symbol.for("${key}")] ??= readFileSync(${JSON.stringify(wasm)}).toString("hex");`;
    }
    if (id === "\0toolsift:pack-index") return packIndex(allPacks(), translationModules(), "toolsift:pack");
    const [, name] = /^\0toolsift:pack\/(.*)\.js$/.exec(id) ?? [];
    return name && [...allPacks(), ...translationModules()].find((one) => one.name === name).text;
  },
};

/** In `npm run peers`, what tests import comes from the folder that has the tested version, if that folder has it. */
export const peers = {
  name: "peers",
  enforce: "pre",
  resolveId(id) {
    const folder = process.env.TOOLSIFT_PEERS;
    const [, name] = /^((?:@[\w-]+\/)?[\w-]+)(?:\/|$)/.exec(id) ?? [];
    if (folder === undefined || name === undefined || !existsSync(join(folder, "node_modules", name))) return undefined;
    return this.resolve(id, join(folder, "app.mjs"), { skipSelf: true });
  },
};

/** A test that names an entry, as in a program that it runs, depends on its source: `npm run check` runs it where that changes. */
export const touched = {
  name: "touched",
  transform(code, id) {
    if (!id.startsWith(inClone("tests")) || !id.endsWith(".mjs")) return undefined;
    const names = new Set([...code.matchAll(/["'](toolsift(?:\/[\w-]+|-cli)?)(?:\.mjs)?["']/g)].map(([, name]) => name));
    const imports = [...names].filter((name) => name in SOURCES).map((name) => `import("${name}");`);
    return imports.length > 0 ? { code: `${code}\nif (false) { ${imports.join(" ")} }`, map: null } : undefined;
  },
};
