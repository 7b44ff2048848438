/** `npm run size`: measures the size of the package, uncompressed and compressed. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { entryBytes, rootBytes } from "./lib/minified.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { inTemporary } from "./lib/place.mjs";
import { bold, isCommand, main, red, step } from "./lib/progress.mjs";
import { npm } from "./lib/run.mjs";

const HELP = `npm run size

Bytes of the wasm, of what each kind of runtime loads, and of the whole package. The second table is what an application ships:
the JavaScript minified and compressed, without the wasm.
Ends with an error when the wasm, the root or an adapter takes more than its limit.`;

/**
 * The size limit of the wasm, in bytes (gzip): the present size of 642 KB plus 5 %. Pages and edge functions load the wasm.
 */
const WASM_LIMIT = 674 * 1024;
/**
 * The size limits of the main entry's JavaScript and of each adapter, in bytes (minified, gzip): the present largest plus 5
 * %.
 */
const ROOT_LIMIT = 13_000;
const ADAPTER_LIMIT = 11_400;

const dist = (...names) => names.map((name) => readFileSync(at("pkg", "dist", name)));
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** Measures the parts with a size limit: the wasm (gzip), the main entry, and each adapter (minified, gzip). */
export async function limited() {
  const of = entries().filter((name) => name.startsWith("adapters/"));
  const rows = of.map(async (name) => ({ name: named(name), bytes: await entryBytes(name), limit: ADAPTER_LIMIT }));
  return [
    { name: "the wasm", bytes: gzipped(...dist("toolsift.wasm")), limit: WASM_LIMIT },
    { name: "toolsift", bytes: await rootBytes(), limit: ROOT_LIMIT },
    ...(await Promise.all(rows)),
  ];
}

/** Measures the other parts that an application may ship: the other entries, and the packs. */
async function others() {
  const rows = entries().filter((name) => !name.startsWith("adapters/"));
  const folder = at("pkg", "dist", "cjs", "packs");
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const sizesOf = (names) => names.map((name) => gzipped(readFileSync(join(folder, name))));
  const isTable = (name) => name.startsWith("translations.");
  const [sizes, tables] = [sizesOf(files.filter((name) => !isTable(name))), sizesOf(files.filter(isTable))];
  const sum = (all) => all.reduce((bytes, one) => bytes + one);
  return [
    ...(await Promise.all(rows.map(async (name) => ({ name: named(name), bytes: await entryBytes(name) })))),
    { name: "the largest pack", bytes: Math.max(...sizes) },
    { name: "all packs, each in its file", bytes: sum(sizes) },
    { name: "all translations, each in its file", bytes: sum(tables) },
  ];
}

/** Returns the entries of the package except the main entry, by their folders in pkg/src. */
function entries() {
  const { exports } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  const files = Object.values(exports).map((target) => target.import?.default ?? "");
  return files.flatMap((file) => /^\.\/dist\/((?!index).+)\.js$/.exec(file)?.[1] ?? []);
}

const named = (entry) => `toolsift/${entry.replace("adapters/", "")}`;

/** Returns the total raw, gzip and brotli bytes of files that are sent separately. */
function weigh(...files) {
  const sum = (bytesOf) => files.reduce((total, file) => total + bytesOf(file), 0);
  return [sum((file) => file.length), sum(gzipped), sum((file) => brotliCompressSync(file).length)];
}

/** Returns a file of pkg/dist and the chunks that it imports. Files that `import()` loads on demand do not count. */
function loadedBy(name) {
  const text = readFileSync(at("pkg", "dist", name), "utf8");
  const chunks = [...text.matchAll(/(?:\bfrom|\bimport) ?"\.{1,2}\/(shared-[^"]+)"/g)].map(([, chunk]) => chunk);
  return [...new Set([name, ...chunks.flatMap(loadedBy)])];
}

/** Measures the whole package: all files that npm packs, concatenated and compressed together. */
const packed = () =>
  inTemporary("size", async (folder) => {
    const { stdout } = await npm(["pack", "--json", "--pack-destination", folder], { cwd: at("pkg") });
    const [{ filename, unpackedSize, entryCount }] = JSON.parse(stdout);
    const [, ...compressed] = weigh(gunzipSync(readFileSync(join(folder, filename))));
    return [`the whole package, ${entryCount} files`, [unpackedSize, ...compressed]];
  });

const loaded = async () => [
  ["the wasm", weigh(...dist("toolsift.wasm"))],
  ["loaded by import (wasm as text)", weigh(...dist(...loadedBy("index.js"), "cjs/wasm.js"))],
  ["loaded by require (wasm as text)", weigh(...dist("cjs/index.js", "cjs/wasm.js"))],
  ["loaded by workerd, edge", weigh(...dist(...loadedBy("workerd.js"), "toolsift.wasm"))],
  ["loaded by toolsift/slim", weigh(...dist(...loadedBy("slim.js"), "toolsift.wasm"))],
  await packed(),
];

const cell = (value = "") => value.toLocaleString("en-US").padStart(11);
const line = (name, cells) => console.log(name.padEnd(34) + cells.map(cell).join(""));

if (isCommand(import.meta.url)) {
  options({}, HELP);
  await main(async () => {
    await build();
    const [files, limits, rest] = await step("weighing", () => Promise.all([loaded(), limited(), others()]));
    console.log(bold(`${"bytes".padEnd(34)}${["raw", "gzip", "brotli"].map(cell).join("")}`));
    for (const row of files) line(...row);
    console.log(bold(`\n${"in an application".padEnd(34)}${["min + gzip", "at most"].map(cell).join("")}`));
    for (const { name, bytes, limit } of [...limits, ...rest]) line(name, [bytes, limit]);
    const tooLarge = limits.filter(({ bytes, limit }) => bytes > limit);
    for (const { name, limit } of tooLarge) console.error(red(`${name} is larger than its limit of ${limit} bytes`));
    return tooLarge.length === 0 ? 0 : 1;
  });
}
