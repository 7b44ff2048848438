/** `npm run size`: what the package weighs, as it is, compressed, and by crate. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { byCrate } from "./lib/by-crate.mjs";
import { hash } from "./lib/fresh.mjs";
import { entryBytes, rootBytes } from "./lib/minified.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { inTemporary } from "./lib/place.mjs";
import { bold, dim, isCommand, main, red, step } from "./lib/progress.mjs";
import { npm } from "./lib/run.mjs";

const HELP = `npm run size [-- --json]

Bytes of the wasm, of what each kind of runtime loads, and of the whole package; then the wasm by crate. The second table
is what an application ships: the JavaScript minified and compressed, without the wasm.
Ends with an error when the wasm, the root, an adapter or another entry takes more than its limit.
  --json   the same for programs`;

/** Bytes that the compressed wasm may take: what a page or an edge function loads on top of its own code. */
const WASM_GZIP_LIMIT = 320_000;
/** The same of the JavaScript of the root, and of what each adapter adds to it, minified: 13 KB of 1,024 bytes, and 8.2 KB. */
const ROOT_GZIP_LIMIT = 13 * 1024;
const ADAPTER_GZIP_LIMIT = 8_500;
/**
 * The same of the other entries. `author` is what production does not use: it asks models and examines. `guard`: half of it
 * knows what hides in texts and what changes by itself there, and a fifth is SHA-256 for runtimes that have none which answers at
 * once. `proxy` knows six vendors' APIs, also as two clouds have them, the event stream of one of these, and three searches of
 * vendors. `packs` is what is there before a pack is loaded: nearly all of it is the index, five bytes a tool that gzip cannot
 * make fewer. `gateway` does not count what it loads when one is opened.
 */
const ENTRY_GZIP_LIMITS = {
  author: 26 * 1024,
  embed: 4 * 1024,
  gateway: 16 * 1024,
  guard: 14 * 1024,
  packs: 32 * 1024,
  proxy: 39 * 1024,
  store: 5 * 1024,
};
const ENTRIES = Object.keys(ENTRY_GZIP_LIMITS);
/**
 * Of the packs, the largest one, and all together, which is what a bundler includes that makes one file of everything: 16 bytes a
 * tool of it are the gists, by which words outlive a new description, and some 170 the words of each writer.
 */
const PACK_GZIP_LIMIT = 80 * 1024;
const ALL_PACKS_GZIP_LIMIT = 1_024 * 1024;

const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

const weights = new Map();

/** Raw, gzip and brotli bytes of one file's content; the slow compression is done once per content. */
function weight(bytes) {
  const key = hash(bytes);
  if (!weights.has(key)) {
    weights.set(key, { raw: bytes.length, gzip: gzipped(bytes), brotli: brotliCompressSync(bytes).length });
  }
  return weights.get(key);
}

/** The bytes of files that are sent one by one. */
function weigh(...files) {
  const total = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files.map(weight)) for (const key of Object.keys(total)) total[key] += file[key];
  return total;
}

/** Bytes (minified, gzip) that the root, each adapter and the other entries add to an application, each with its limit. */
async function shipped() {
  const packs = packFiles().map(gzipped);
  const entries = Object.entries(ENTRY_GZIP_LIMITS).concat(
    adapters().map((name) => [`adapters/${name}`, ADAPTER_GZIP_LIMIT]),
  );
  const sizes = entries.map(async ([name, limit]) => {
    return { name: `toolsift/${name.replace("adapters/", "")}`, bytes: await entryBytes(name), limit };
  });
  return [
    { name: "toolsift", bytes: await rootBytes(), limit: ROOT_GZIP_LIMIT },
    ...(await Promise.all(sizes)),
    { name: "the largest pack", bytes: Math.max(...packs), limit: PACK_GZIP_LIMIT },
    {
      name: "all packs, in files of their own",
      bytes: packs.reduce((sum, bytes) => sum + bytes),
      limit: ALL_PACKS_GZIP_LIMIT,
    },
  ];
}

/** Where the sizes are committed, so that a growth is a line of a difference; `npm run figures` writes them. */
export const SIZES = at("tests", "golden", "sizes.json");

/** What applications ship: the wasm (gzip), and the JavaScript of each entry (minified, gzip), each with its limit. */
export async function parts() {
  const wasm = gzipped(readFileSync(at("pkg", "dist", "toolsift.wasm")));
  return [{ name: "the wasm", bytes: wasm, limit: WASM_GZIP_LIMIT }, ...(await shipped())];
}

/** The bytes of each part by its name, as they are committed. */
export const sizesOf = (parts) => Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes]));

/** The sizes of the built package. */
export async function measure() {
  const dist = (...names) => names.map((name) => readFileSync(at("pkg", "dist", name)));
  return {
    wasm: weigh(...dist("toolsift.wasm")),
    import: weigh(...dist(...loadedBy("index.js"), "cjs/wasm.js")),
    require: weigh(...dist("cjs/index.js", "cjs/wasm.js")),
    workerd: weigh(...dist(...loadedBy("workerd.js"), "toolsift.wasm")),
    slim: weigh(...dist(...loadedBy("slim.js"), "toolsift.wasm")),
    ...Object.fromEntries(ENTRIES.map((name) => [name, weigh(...dist(...above(`${name}.js`)))])),
    ...Object.fromEntries(adapters().map((name) => [name, weigh(...dist(...above(`adapters/${name}.js`)))])),
    package: await packed(),
    shipped: await shipped(),
    limit: { wasmGzip: WASM_GZIP_LIMIT },
  };
}

/** A file of pkg/dist with the chunks that it shares with others; what `import()` loads on demand does not count. */
function loadedBy(name) {
  const text = readFileSync(at("pkg", "dist", name), "utf8");
  const chunks = [...text.matchAll(/(?:\bfrom|\bimport) ?"\.{1,2}\/(shared-[^"]+)"/g)].map(([, chunk]) => chunk);
  return [...new Set([name, ...chunks.flatMap(loadedBy)])];
}

/** What a file adds to the index. */
function above(name) {
  const known = loadedBy("index.js");
  return loadedBy(name).filter((file) => !known.includes(file));
}

/** The words of each pack. */
function packFiles() {
  const folder = at("pkg", "dist", "cjs", "packs");
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return names.map((name) => readFileSync(join(folder, name)));
}

/** The adapters by name. */
function adapters() {
  const files = readdirSync(at("pkg", "dist", "adapters")).filter((name) => name.endsWith(".js"));
  return files.map((name) => name.slice(0, -".js".length));
}

/** The whole package: its files one after the other as npm packs them, compressed at once. */
const packed = () =>
  inTemporary("size", async (folder) => {
    const { stdout } = await npm(["pack", "--json", "--pack-destination", folder], { cwd: at("pkg") });
    const [{ filename, unpackedSize, entryCount }] = JSON.parse(stdout);
    const { gzip, brotli } = weigh(gunzipSync(readFileSync(join(folder, filename))));
    return { raw: unpackedSize, gzip, brotli, files: entryCount };
  });

const grouped = (bytes) => bytes.toLocaleString("en-US").padStart(11);

function print({ crates, limit, shipped, ...rows }) {
  const label = {
    wasm: "the wasm",
    import: "loaded by import (wasm as text)",
    require: "loaded by require (wasm as text)",
    workerd: "loaded by workerd, edge",
    slim: "loaded by toolsift/slim",
    ...Object.fromEntries([...ENTRIES, ...adapters()].map((name) => [name, `toolsift/${name} on top of these`])),
    package: `the whole package, ${rows.package.files} files`,
  };
  const line = (name, cells) => console.log(`${name.padEnd(34)}${cells.join("")}`);
  line(
    bold("bytes".padEnd(34)),
    ["raw", "gzip", "brotli"].map((text) => text.padStart(11)),
  );
  for (const [key, { raw, gzip, brotli }] of Object.entries(rows)) line(label[key], [raw, gzip, brotli].map(grouped));

  console.log();
  line(
    bold("JavaScript in an application".padEnd(34)),
    ["min + gzip", "at most"].map((text) => text.padStart(11)),
  );
  for (const { name, bytes, limit } of shipped) line(name, [bytes, limit].map(grouped));

  const sharing = (bytes) => [grouped(bytes), `${((100 * bytes) / rows.wasm.raw).toFixed(1)} %`.padStart(11)];
  console.log();
  line(
    bold("the wasm by crate".padEnd(34)),
    ["raw", "share"].map((text) => text.padStart(11)),
  );
  for (const { name, bytes } of crates.crates) line(name, sharing(bytes));
  line(dim("constant data of all crates".padEnd(34)), sharing(crates.data));
  line(dim("types, imports, tables".padEnd(34)), sharing(crates.rest));
  console.log(`\nthe wasm takes ${grouped(rows.wasm.gzip).trim()} of ${grouped(limit.wasmGzip).trim()} bytes (gzip)`);
}

if (isCommand(import.meta.url)) {
  const { json } = options({ json: { type: "boolean" } }, HELP);
  await main(async () => {
    await build();
    const sizes = await step("weighing", async () => ({ ...(await measure()), crates: await byCrate() }));
    if (json) console.log(JSON.stringify(sizes, null, 2));
    else print(sizes);
    const parts = [{ name: "the wasm", bytes: sizes.wasm.gzip, limit: WASM_GZIP_LIMIT }, ...sizes.shipped];
    const tooLarge = parts.filter(({ bytes, limit }) => bytes > limit);
    for (const { name, limit } of tooLarge) console.error(red(`${name} is larger than its limit of ${limit} bytes`));
    return tooLarge.length === 0 ? 0 : 1;
  });
}
