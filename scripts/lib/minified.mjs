/** Weighs the package's JavaScript as applications ship it: bundled and minified by esbuild, then compressed. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { at } from "./paths.mjs";
import { coreDir } from "./wasm.mjs";

const gzip = (text) => gzipSync(text, { level: 9 }).length;

/**
 * Bytes (minified, gzip) of what `import { ToolSift } from "toolsift"` adds to an application beside the wasm and the code that
 * wasm-bindgen generates for it.
 */
export async function rootBytes() {
  const entry = JSON.stringify(at("pkg", "src", "entry", "workerd.ts"));
  const outside = { name: "outside", setup: ({ onResolve }) => onResolve({ filter: /\.wasm$/ }, external) };
  const glue = { name: "glue", setup: ({ onResolve }) => onResolve({ filter: /toolsift_bg\.js$/ }, external) };
  const { outputFiles } = await build({
    stdin: { contents: `export { ToolSift } from ${entry};`, resolveDir: coreDir },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    plugins: [outside, glue],
  });
  return gzip(outputFiles[0].contents);
}

const external = ({ path }) => ({ path, external: true });

/** Bytes (minified, gzip) of files of pkg/dist. */
export async function minifiedBytes(names) {
  const sizes = names.map(async (name) => {
    const { code } = await transform(readFileSync(at("pkg", "dist", name)), { minify: true, format: "esm" });
    return gzip(code);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
