/**
 * Writes the public surface of the crate as text: a line for each public item, as cargo-public-api reads it from rustdoc's
 * JSON. That format belongs to one version of Rust, so both are pinned; the text does not depend on them.
 */

import { delimiter } from "node:path";
import { at } from "../paths.mjs";
import { ask, Problem, run } from "../run.mjs";
import { provideTool } from "../tools.mjs";

/** The report. */
export const CRATE = "crate.api.md";
/** A Rust whose JSON the tool reads. */
const RUST = "1.95.0";
const TOOL = { crate: "cargo-public-api", program: "cargo-public-api", version: "0.52.0", flags: ["--locked"] };

/** The flag with which cargo takes the pinned Rust; none where it is the usual one. */
async function toolchain() {
  if ((await ask("rustc", ["--version"]))?.startsWith(`rustc ${RUST} `)) return [];
  if ((await ask("cargo", [`+${RUST}`, "--version"])) !== null) return [`+${RUST}`];
  throw new Problem(`the surface of the crate is read by Rust ${RUST}: rustup toolchain install ${RUST} --profile minimal`);
}

/** The report of the crate as it is. `step` shows the build of the tool where it is missing. */
export async function crateReport(step) {
  const args = [
    ...(await toolchain()),
    "rustdoc",
    "--locked",
    "--lib",
    "--all-features",
    "--",
    "-Z",
    "unstable-options",
    "--output-format",
    "json",
  ];
  const folder = await provideTool(TOOL, step);
  const path = [folder, process.env.PATH].filter(Boolean).join(delimiter);
  // rustdoc writes JSON for programs that say that they know it may change.
  await run("cargo", args, { env: { RUSTC_BOOTSTRAP: "1", CARGO_TARGET_DIR: at("target") } });
  const json = at("target", "doc", "toolsift.json");
  // Without what the compiler derives: Send, Clone, From<T> for T and their like.
  const list = ["public-api", "-sss", "--color=never", "--rustdoc-json", json];
  const { stdout } = await run(TOOL.program, list, { env: { PATH: path } });
  const head =
    "# the crate\n\nWritten by `npm run api -- --update`. A change of this file is a change of what the crate promises.";
  return `${head}\n\n\`\`\`rust\n${stdout.trimEnd()}\n\`\`\`\n`;
}
