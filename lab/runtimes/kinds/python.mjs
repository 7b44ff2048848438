/** Runs the Python package, with the Rust code as an extension module. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../../scripts/lib/installed.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { buildPython, preparePython } from "../../../scripts/lib/python-package.mjs";
import { ask, run } from "../../../scripts/lib/run.mjs";
import { programData } from "../../../tests/runtimes/lib/app.mjs";

export const python = {
  name: "python",
  runtime: "Python",
  loader: "extension module",
  start: async () => {
    const program = await preparePython();
    await buildPython(program, "python");
    const data = join(scratch(), "python-steps.json");
    writeFileSync(data, JSON.stringify(programData()));
    return {
      version: await ask(program, ["-c", "import platform; print(platform.python_version())"]),
      once: async () => {
        const start = [at("tests", "runtimes", "lib", "program", "start.py"), data];
        return JSON.parse((await run(program, start, { env: { PYTHONPATH: at("python") } })).stdout);
      },
    };
  },
};
