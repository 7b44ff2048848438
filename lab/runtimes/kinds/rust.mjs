/** Runs a Rust program whose threads share each catalog. */

import { ask } from "../../../scripts/lib/run.mjs";
import { programData } from "../../../tests/runtimes/lib/app.mjs";
import { nativeProgram, told } from "../../../tests/runtimes/lib/native.mjs";

export const rust = {
  name: "rust",
  runtime: "Rust",
  loader: "crate, threads",
  start: async () => {
    const program = await nativeProgram({ release: true });
    return {
      version: (await ask("rustc", ["--version"])).split(" ")[1],
      once: async () => JSON.parse(await told(program, ["--threads"], programData())),
    };
  },
};
