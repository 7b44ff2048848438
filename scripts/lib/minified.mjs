/** Measures the size of the package's JavaScript in an application: bundled and minified by esbuild, then compressed. */

import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { extras } from "./bundle.mjs";
import { bundleThem } from "./bundled.mjs";
import { packIndexAt, packModules } from "./packs/modules.mjs";
import { at } from "./paths.mjs";

/**
 * Matches modules that are not counted: the wasm, its code from wasm-bindgen, and SDKs, which the application has already.
 */
const OUTSIDE = /\.wasm$|toolsift_bg\.js$|^[^./]|^toolsift:/;

/** Returns the bytes (minified, gzip) that `import { ToolSift } from "toolsift"` adds to an application. */
export const rootBytes = () => bytesOf('export { ToolSift } from "./entry/workerd.ts";');

const ROOT = 'export * from "./entry/workerd.ts";';
let all;

/** Returns the bytes (minified, gzip) that an entry adds to an application that has the whole main entry. */
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
    // With splitting, modules that are loaded on demand are separate files and do not count.
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
  // All files are compressed together, because the number of files depends on the bundler.
  return gzipSync(Buffer.concat(loaded.map(({ contents: file }) => file)), { level: 9 }).length;
}
