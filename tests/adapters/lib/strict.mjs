/** Compiles a program under `strict` in an application that has the packed package, as a user's project would. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "../../../scripts/lib/paths.mjs";
import { appWith } from "./app.mjs";

/** Fails with what the compiler says, if it says anything. `lib` are the standard libraries of its project. */
export async function compiles(program, packages, { name = "program", lib = ["es2022", "dom", "dom.iterable"] } = {}) {
  const { folder } = await appWith(packages);
  writeFileSync(join(folder, `${name}.mts`), program);
  const libraries = { skipLibCheck: true, types: [], lib };
  const compilerOptions = { strict: true, target: "es2022", module: "nodenext", noEmit: true, ...libraries };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.mts`] }));
  try {
    execFileSync(process.execPath, [at("node_modules", "typescript", "bin", "tsc"), "-p", join(folder, `${name}.json`)], {
      encoding: "utf8",
    });
  } catch (error) {
    assert.fail(error.stdout);
  }
}
