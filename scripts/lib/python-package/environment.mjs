/** Builds the Python package into a virtual environment of the clone, and runs what checks it. */

import { readFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { isFull } from "../full.mjs";
import { at } from "../paths.mjs";
import { latestPython, providePython } from "../python.mjs";
import { Problem, run } from "../run.mjs";
import { writePacks } from "./packs.mjs";

const home = at("python", ".venv");

/** Exactly what python/requirements.txt says, and in the long form what the type checkers need. */
function pins() {
  const files = ["requirements.txt", ...(isFull ? ["requirements-types.txt"] : [])];
  const lines = files.flatMap((file) => readFileSync(at("python", file), "utf8").split("\n"));
  return lines.flatMap((line) => {
    const [, name, version] = /^([\w.-]+)==(\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ package: name, version }];
  });
}

/** The interpreter of an environment with everything that the checks need, from PyPI. */
export async function preparePython() {
  const { python, reason } = await providePython({
    packages: pins(),
    home,
    title: "what the Python package is checked with",
  });
  if (python) return python;
  throw new Problem(`the Python package cannot be checked: ${reason}\n  get it: Python 3.10 or newer with venv and pip`);
}

/** Builds the extension module and installs it into the environment: quickly for tests, with the profile `python` as wheels have it. */
export async function buildPython(python, profile = "dev") {
  writePacks();
  const args = ["-m", "maturin", "develop", "--profile", profile, "--quiet"];
  await run(python, args, { cwd: at("python"), env: { VIRTUAL_ENV: home } });
}

/** The SDKs that extras of the package install. */
function sdks() {
  const [, extras] = readFileSync(at("python", "pyproject.toml"), "utf8").split("[project.optional-dependencies]\n");
  return new Set([...extras.split("\n\n")[0].matchAll(/"([\w-]+)>=/g)].map(([, name]) => name));
}

/**
 * Runs the tests, with the oldest SDKs that the extras take. In the long form also with the latest ones, and strict type checkers:
 * every type that a user can see has to be known.
 */
export async function testPython() {
  const python = await preparePython();
  await buildPython(python);
  // Pyright takes the interpreter that is found first.
  const env = { PATH: `${dirname(python)}${delimiter}${process.env.PATH}` };
  const inside = (...args) => run(python, ["-m", ...args], { cwd: at("python"), env });
  const { stdout } = await inside("pytest", "-q");
  if (isFull) {
    await inside("mypy", "toolsift", "tests", "examples");
    await inside("mypy.stubtest", "toolsift._core");
    await inside("pyright", "toolsift", "tests", "examples");
    await inside("pyright", "--verifytypes", "toolsift", "--ignoreexternal");
    const names = [...sdks(), "pytest", "pytest-asyncio"];
    const latest = await latestPython(python, at("python", ".venv-latest"), names);
    await run(latest, ["-m", "pytest", "-q", "tests/test_adapters.py", "tests/test_core.py"], { cwd: at("python") });
  }
  return { stdout: "", summary: stdout.trimEnd().split("\n").at(-1) };
}
