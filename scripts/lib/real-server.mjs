/**
 * Bundles each real MCP server into one file. Loading hundreds of small files takes half of a server's start, and tests
 * start servers hundreds of times.
 */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { scratch } from "./installed.mjs";
import { at, root } from "./paths.mjs";

/** The servers that can be bundled. The others read files next to their own. */
const IN_ONE = ["memory", "filesystem"];
/** CommonJS packages need `require` for Node's modules. */
const banner = { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' };

/** Returns the path of the bundled program of `@modelcontextprotocol/server-NAME`. It ends like the path in the package. */
export function realServer(name) {
  const path = join("@modelcontextprotocol", `server-${name}`, "dist", "index.js");
  const main = at("node_modules", path);
  return IN_ONE.includes(name) ? inOne(path, `import ${JSON.stringify(main)};`) : main;
}

/** Returns a bundled module of SDK v1 for writing servers, with `Server`, `StdioServerTransport` and the `schemas`. */
export function serverSdk() {
  const from = (path) => JSON.stringify(`@modelcontextprotocol/sdk/${path}`);
  const program = `export { Server } from ${from("server/index.js")};
export { StdioServerTransport } from ${from("server/stdio.js")};
export * as schemas from ${from("types.js")};`;
  return inOne(join("sdk", "index.js"), program);
}

/** Bundles a program once, into a temporary folder. */
function inOne(path, contents) {
  const folder = join(scratch(), "servers");
  const outfile = join(folder, path);
  if (existsSync(outfile)) return outfile;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const stdin = { contents, resolveDir: root };
  buildSync({ stdin, outfile, bundle: true, platform: "node", format: "esm", target: "node20", banner });
  return outfile;
}
