/** Tests the types of the installed package, with the programs in the folder `types`. */

import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { install } from "./installed.mjs";

const NODE = { module: "node16", moduleResolution: "node16" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

/** Projects: their settings, their platform's types, and their files, whose names decide on their kinds of module. */
const PROJECTS = {
  "ES modules and CommonJS in Node": [NODE, [], ["program.mts", "program.cts", "enrich.mts"]],
  "a bundler for pages": [BUNDLER, ["DOM"], ["program.ts", "enrich.ts", "slim.ts"]],
};

for (const [title, [kind, platform, files]] of Object.entries(PROJECTS)) {
  test(`types: ${title}`, async () => {
    const { app } = await install();
    for (const file of files) copyFileSync(at("tests", "package", "types", file.replace(/\.\w+$/, ".mts")), join(app, file));
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
    const about = { ...strict, ...kind, target: "ES2022", lib: ["ES2022", ...platform], types: [], noEmit: true };
    const config = join(app, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions: about, files }));
    await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", config]);
  });
}
