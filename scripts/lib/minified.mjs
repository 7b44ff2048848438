/** Measures the size of the package's JavaScript in an application: bundled and minified by esbuild, then compressed. */

import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { extras } from "./bundle.mjs";
import { bundleThem } from "./bundled.mjs";
import { packIndexAt, packModules } from "./packs/modules.mjs";
import { at } from "./paths.mjs";

/** Left out: the wasm, the code that wasm-bindgen generates for it, and SDKs, which the application has already. */
const OUTSIDE = /\.wasm$|toolsift_bg\.js$|^[^./]|^toolsift:/;

/** Bytes (minified, gzip) that `import { ToolSift } from "toolsift"` adds to an application. */
export const rootBytes = () => bytesOf('export { ToolSift } from "./entry/workerd.ts";');

const ROOT = 'export * from "./entry/workerd.ts";';
let all;

/** Bytes (minified, gzip) that everything of an entry adds to an application that has all of the root. */
export async function entryBytes(name) {
  all ??= bytesOf(ROOT);
  return (await bytesOf(`${ROOT}\nexport * as entry from "${extras()[name]}";`)) - (await all);
}

async function bytesOf(contents) {
  const leaveOut = ({ onResolve }) =>
    onResolve({ filter: OUTSIDE }, ({ path, kind }) => (kind === "entry-point" ? undefined : { path, external: true }));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: at("pkg", "src"), loader: "ts" },
    bundle: true,
    // What is loaded on demand has files of its own.
    splitting: true,
    outdir: at("pkg", "dist"),
    minify: true,
    write: false,
    format: "esm",
    plugins: [bundleThem, packIndexAt(packModules(), "./cjs/packs"), { name: "leave-out", setup: leaveOut }],
  });
  const loaded = outputFiles.filter(({ path }) => path.endsWith("stdin.js"));
  // Chunks import chunks: the list grows while it is read.
  for (const { text } of loaded) {
    const isImported = ({ path }) => new RegExp(`(from|import)"\\./${path.split("/").at(-1)}"`).test(text);
    loaded.push(...outputFiles.filter((file) => !loaded.includes(file) && isImported(file)));
  }
  // Compressed as one: into how many files a bundler cuts the same code is its own affair, and says nothing of ours.
  return gzipSync(Buffer.concat(loaded.map(({ contents: file }) => file)), { level: 9 }).length;
}
