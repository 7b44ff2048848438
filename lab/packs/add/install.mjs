/**
 * Installs the package of a server into a folder without running any of its code: no install scripts, and from PyPI only
 * wheels.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { providePython } from "../../../scripts/lib/python.mjs";
import { npm, Problem, run } from "../../../scripts/lib/run.mjs";

const PATIENCE = 600_000;

/**
 * Installs the package of a server.
 *
 * @param source `NAME`, `NAME@VERSION`, a folder, or `pypi:NAME`
 * @param program the program that is the server, if the package has several programs
 * @returns `{ package, version, command, args }`
 */
export async function installed(source, folder, program) {
  mkdirSync(folder, { recursive: true });
  return source.startsWith("pypi:") ? ofPyPI(source.slice("pypi:".length), folder, program) : ofNpm(source, folder, program);
}

async function ofNpm(source, folder, wanted) {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--install-links", "--omit=dev"];
  const spec = existsSync(source) ? resolve(source) : source;
  await npm(["install", ...flags, spec], { cwd: folder, timeout: PATIENCE });
  const [name] = Object.keys(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies);
  const home = join(folder, "node_modules", name);
  const { version, bin = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const base = name.split("/").at(-1);
  const programs = typeof bin === "string" ? { [base]: bin } : bin;
  const file = join(home, programs[chosen(Object.keys(programs), base, wanted)]);
  // A program without a shebang line is a Node program.
  const isOther = /^#!(?!.*\bnode\b)/.test(readFileSync(file, "utf8").slice(0, 200));
  return { package: name, version, command: isOther ? file : process.execPath, args: isOther ? [] : [file] };
}

async function ofPyPI(source, folder, wanted) {
  const [name, version] = source.split("==");
  const home = join(folder, "env");
  const { python, reason } = await providePython({ packages: [{ package: name, version }], home, title: source });
  if (reason !== undefined) throw new Problem(`${source} cannot be installed: ${reason}`);
  const program = `import json
from importlib.metadata import distribution
one = distribution(${JSON.stringify(name)})
scripts = [point.name for point in one.entry_points if point.group == "console_scripts"]
print(json.dumps([one.version, scripts]))`;
  const { stdout } = await run(python, ["-I", "-c", program]);
  const [found, programs] = JSON.parse(stdout);
  // The script is run by the interpreter, because its shebang line has the path where the environment was first made.
  const script = join(python, "..", chosen(programs, name, wanted));
  return { package: `pypi:${name}`, version: found, command: python, args: [script] };
}

/** Returns the program of the server: the requested one, the one with the package's name, or one with `mcp` in its name. */
function chosen(programs, name, wanted) {
  const found =
    wanted === undefined
      ? (programs.find((one) => one === name) ?? programs.find((one) => one.includes("mcp")) ?? programs[0])
      : programs.find((one) => one === wanted);
  if (found !== undefined) return found;
  const has = programs.length === 0 ? "it has no program" : `its programs are ${programs.join(", ")}`;
  throw new Problem(`${name} cannot be started${wanted === undefined ? "" : ` as ${wanted}`}: ${has}`);
}
