/** Runs the checks of Rust: clippy, rustdoc, and the tests of crates. */

import { ask, run } from "./run.mjs";

export const cargo = (...args) => run("cargo", args);

/** Runs clippy. Without packages, checks the default packages of the workspace. */
export const clippy = (...packages) => cargo("clippy", "--locked", ...packages, "--all-targets", "--", "-D", "warnings");

/** Builds the documentation, with private items: the documentation of a stage links to the files that do the work. */
export const documented = (...packages) =>
  run("cargo", ["doc", "--locked", "--no-deps", "--document-private-items", ...packages], {
    env: { RUSTDOCFLAGS: "-D warnings -A rustdoc::private_intra_doc_links" },
  });

/** Runs the tests of crates, with nextest if it is installed, and their documentation tests, which only cargo can run. */
export async function cargoTest(...packages) {
  if ((await ask("cargo", ["nextest", "--version"])) === null) return cargo("test", "--locked", ...packages);
  const tests = await cargo("nextest", "run", "--locked", "--no-tests=pass", "--status-level=fail", ...packages);
  const documents = await cargo("test", "--locked", "--doc", ...packages);
  // Nextest prints its results on standard error.
  return { stdout: tests.output + documents.stdout };
}
