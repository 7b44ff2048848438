/** Runs the package in Node, as ES module, as CommonJS and as TypeScript. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "../../../../scripts/lib/paths.mjs";
import { node, run } from "../../../../scripts/lib/run.mjs";
import { appFolder, programData, writeLaunch } from "../app.mjs";

/** From here on Node reads TypeScript itself. */
const READS_TYPES = 22;

const own = { file: process.execPath, version: process.versions.node };

const LAUNCH_REQUIRED = `import { start } from "./start.mjs";
start(require("./data.json")).then((answered) => console.log(JSON.stringify(answered)));
`;

/** How the package is loaded: each writes what starts it, and answers `{ folder, file }`. */
export const LOADERS = {
  import: async () => {
    const folder = await appFolder();
    writeLaunch(folder, "launch.mjs", "./start.mjs");
    return { folder, file: "launch.mjs" };
  },
  require: async () => {
    const folder = await appFolder();
    const { build } = await import("esbuild");
    // Written as CommonJS, with the package left outside: it is required by its name.
    await build({
      stdin: { contents: LAUNCH_REQUIRED, resolveDir: folder },
      bundle: true,
      format: "cjs",
      platform: "node",
      packages: "external",
      external: ["./data.json"],
      outfile: join(folder, "launch.cjs"),
      logLevel: "silent",
    });
    writeFileSync(join(folder, "data.json"), JSON.stringify(programData()));
    return { folder, file: "launch.cjs" };
  },
  typescript: async (major) => {
    const folder = await appFolder({ typescript: true });
    if (major >= READS_TYPES) {
      writeLaunch(folder, "launch.mjs", "./start.mts");
    } else {
      const strict = { strict: true, target: "es2022", module: "nodenext", lib: ["es2022", "dom"], types: [] };
      const compilerOptions = { ...strict, rewriteRelativeImportExtensions: true, skipLibCheck: false };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["start.mts"] }));
      await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", folder]);
      writeLaunch(folder, "launch.mjs", "./start.mjs");
    }
    return { folder, file: "launch.mjs" };
  },
};

const SHOWN = { import: "import", require: "require", typescript: "TypeScript" };

/** A kind of Node; `program` answers `{ file, version }`. */
export const nodeKind = (name, loader, runtime, program) => ({
  name,
  runtime,
  loader: SHOWN[loader],
  start: async () => {
    const { file: node, version } = await program();
    const { folder, file } = await LOADERS[loader](Number(version.split(".")[0]));
    return {
      version,
      once: async () => JSON.parse((await run(node, [file], { cwd: folder })).stdout),
    };
  },
});

/** The Node that runs this script. */
export const nodeHere = ["import", "require"].map((loader) => nodeKind(`node-${loader}`, loader, "Node", () => own));
