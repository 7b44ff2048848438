/**
 * `npm run reproducible`: builds the Rust library of the last commit twice from scratch, in two folders, and compares the
 * bytes.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { filesUnder } from "./lib/fresh.mjs";
import { at } from "./lib/paths.mjs";
import { inTemporary } from "./lib/place.mjs";
import { main, step } from "./lib/progress.mjs";
import { node, Problem, run } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

/** The script that builds the wasm in the clone in which it runs. */
const BUILD = 'import("./scripts/lib/wasm.mjs").then(({ buildWasm }) => buildWasm({ force: true }))';

/** Builds in a folder, and returns the hash of each written file, as `sha256sum` prints it. */
async function builtIn(folder, archive) {
  mkdirSync(folder, { recursive: true });
  await run("tar", ["-xf", archive, "-C", folder]);
  symlinkSync(at("node_modules"), join(folder, "node_modules"), "junction");
  // Each build has its own target folder. With a shared one, the second build would only copy the first.
  await node("--input-type=module", ["--eval", BUILD], { cwd: folder, env: { CARGO_TARGET_DIR: join(folder, "target") } });
  const core = join(folder, "pkg", "core");
  const hash = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
  return filesUnder(core)
    .map((file) => `${hash(file)}  ${relative(core, file)}`)
    .join("\n");
}

await main(async () => {
  await setUp();
  await inTemporary("reproducible", async (home) => {
    const archive = join(home, "commit.tar");
    await run("git", ["archive", "-o", archive, "HEAD"]);
    const built = [];
    for (const name of ["a", join("in", "another folder", "with-a-longer-name")]) {
      await step(`build ${built.length + 1} of 2`, async () => void built.push(await builtIn(join(home, name), archive)));
    }
    if (built[0] !== built[1]) throw new Problem(`the builds differ:\n${built.join("\n\n")}`);
    console.log(`${built[0]}\nboth builds have the same bytes`);
  });
});
