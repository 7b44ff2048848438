/**
 * Sets up Python once for all clones, builds the extension module of the Python package in place, and runs the package's
 * checks.
 */

import { readFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { at } from "./paths.mjs";
import { latestPython, providePython } from "./python.mjs";
import { Problem, run } from "./run.mjs";
import { writeSources } from "./packs/python.mjs";

/** Returns the interpreter of an environment with exactly the packages in these files of python/, from PyPI. */
async function prepare(files, title) {
  const lines = files.flatMap((file) => readFileSync(at("python", file), "utf8").split("\n"));
  const packages = lines.flatMap((line) => {
    const [, name, version] = /^([\w.-]+)==(\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ package: name, version }];
  });
  const { python, reason } = await providePython({ packages, title });
  if (python) return python;
  throw new Problem(`the Python package cannot be checked: ${reason}\n  get it: Python 3.10 or newer with venv and pip`);
}

export const preparePython = () => prepare(["requirements.txt"], "what the Python package is checked with");

/** Builds the extension module into the package's folder: fast for tests, or as for wheels with the profile `python`. */
export async function buildPython(python, profile = "dev") {
  writeSources();
  const args = ["-m", "maturin", "develop", "--skip-install", "--profile", profile, "--quiet"];
  // The environment variable tells maturin which interpreter to use. Maturin does not change that environment.
  await run(python, args, { cwd: at("python"), env: { VIRTUAL_ENV: dirname(dirname(python)) } });
}

/** Runs a Python module in the folder of the package. */
function inside(python, ...args) {
  return insideWith(python, args);
}

function insideWith(python, args, options) {
  // Pyright uses the first interpreter on PATH, and programs in the tests import the package from this folder.
  const env = { PATH: `${dirname(python)}${delimiter}${process.env.PATH}`, PYTHONPATH: at("python") };
  return run(python, ["-m", ...args], { cwd: at("python"), env, ...options });
}

/** Runs the tests that need no SDK except OpenAI's, and checks the stub file against the extension module. */
export async function testPython() {
  const python = await preparePython();
  await buildPython(python);
  await inside(python, "mypy.stubtest", "toolsift._core");
  return inside(python, "pytest", "-q", "-m", "not sdk");
}

/** Runs some tests with pytest, after building the extension module from the current sources. */
export async function pytest(args, options) {
  const python = await preparePython();
  await buildPython(python);
  return insideWith(python, ["pytest", "-q", ...args], options);
}

/** Returns the SDKs that the extras of the package install. */
function sdks() {
  const [, extras] = readFileSync(at("python", "pyproject.toml"), "utf8").split("[project.optional-dependencies]\n");
  return new Set([...extras.split("\n\n")[0].matchAll(/"([\w-]+)>=/g)].map(([, name]) => name));
}

/**
 * Runs the tests that need SDKs, with their oldest allowed and their latest versions, and strict type checkers over all
 * code.
 */
export async function testSdks() {
  const title = "the oldest SDKs that the Python package takes";
  const oldest = await prepare(["requirements-sdks.txt"], title);
  const first = await inside(oldest, "pytest", "-q", "-m", "sdk");
  const names = [...sdks(), "langchain-openai", "pytest", "pytest-asyncio", "mypy", "pyright"];
  const latest = await latestPython(oldest, at("python", ".venv-latest"), names);
  const folders = ["toolsift", "tests", "examples"];
  await inside(latest, "mypy", ...folders);
  await inside(latest, "pyright", ...folders);
  await inside(latest, "pyright", "--verifytypes", "toolsift", "--ignoreexternal");
  // Tests without an SDK have run already.
  const second = await inside(latest, "pytest", "-q", "--ignore", "tests/test_same_answers.py");
  return { stdout: first.stdout + second.stdout };
}
