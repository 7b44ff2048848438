/** Runs it in Node, in the three lines that are maintained, as ES module, as CommonJS and as TypeScript. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "../../lib/paths.mjs";
import { node, run } from "../../lib/run.mjs";
import { appFolder, programData, writeLaunch } from "../app.mjs";
import { nodeOf } from "../programs.mjs";
import { provideTools } from "../tools.mjs";

/** From here on Node reads TypeScript itself. */
const READS_TYPES = 22;

/** The Node that runs this script. */
const own = { file: process.execPath, version: process.versions.node };

const LAUNCH_REQUIRED = `import { start } from "./start.mjs";
start(require("./data.json")).then((answered) => console.log(JSON.stringify(answered)));
`;

const LOADERS = {
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

function kind(name, loader, major) {
  return {
    name,
    runtime: major === undefined ? "Node" : `Node ${major}`,
    loader: SHOWN[loader],
    start: async () => {
      const { file: program, version } = major === undefined ? own : nodeOf(major, await provideTools());
      const { folder, file } = await LOADERS[loader](major ?? Number(version.split(".")[0]));
      return {
        version,
        once: async () => JSON.parse((await run(program, [file], { cwd: folder })).stdout),
      };
    },
  };
}

/** The Node at hand, for the short form. */
export const nodeHere = ["import", "require"].map((loader) => kind(`node-${loader}`, loader));

/** Every line that is maintained. */
export const nodes = [20, 22, 24].flatMap((major) => {
  return Object.keys(LOADERS).map((loader) => kind(`node${major}-${loader}`, loader, major));
});
