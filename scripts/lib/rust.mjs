/** Runs the checks of Rust: clippy, rustdoc, and the tests of crates. */

import { ask, run } from "./run.mjs";

export const cargo = (...args) => run("cargo", args);

/** Without packages, those of the workspace that are built by default. */
export const clippy = (...packages) => cargo("clippy", "--locked", ...packages, "--all-targets", "--", "-D", "warnings");

/** Private items too: the documentation of a stage leads its readers to the files that do the work. */
export const documented = (...packages) =>
  run("cargo", ["doc", "--locked", "--no-deps", "--document-private-items", ...packages], {
    env: { RUSTDOCFLAGS: "-D warnings -A rustdoc::private_intra_doc_links" },
  });

/** The tests of crates, by nextest where it is installed, and of their documentation, which are cargo's alone. */
export async function cargoTest(...packages) {
  if ((await ask("cargo", ["nextest", "--version"])) === null) return cargo("test", "--locked", ...packages);
  const tests = await cargo("nextest", "run", "--locked", "--no-tests=pass", "--status-level=fail", ...packages);
  const documents = await cargo("test", "--locked", "--doc", ...packages);
  // Nextest tells on standard error.
  return { stdout: tests.output + documents.stdout };
}
