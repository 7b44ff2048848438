/** Installs Python packages into a virtual environment in the cache, once for all clones. */

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "./paths.mjs";
import { intoPlace } from "./place.mjs";
import { step } from "./progress.mjs";
import { ask, CommandFailed, run } from "./run.mjs";

const INTERPRETERS = ["python3", "python"];
/** The options of pip. Modules are compiled on import, because compiling all would take half of the time. */
const PACKAGES_ONLY = ["--only-binary", ":all:", "--no-compile", "--disable-pip-version-check", "--no-input", "--quiet"];
/** Options that let pip give up early. Without a network, it would try for minutes. */
const SOON = ["--retries", "1", "--timeout", "15"];

/** Returns the folder of the environment for these packages, `{ package, version, extras }`. */
function homeOf(packages) {
  const pins = packages.map((pin) => `${pin.package}-${pin.version}`).join("-");
  // A folder name has at most 255 characters, so a long name is replaced by its hash.
  const name = pins.length > 200 ? createHash("sha256").update(pins).digest("hex").slice(0, 16) : pins;
  return join(cacheDir, "tools", `python-${name}`);
}

/** Returns the interpreter of the environment, or null if there is none. */
export async function installedPython({ packages }) {
  const python = interpreterIn(homeOf(packages));
  const names = JSON.stringify(packages.map((pin) => pin.package));
  const program = `from importlib.metadata import version\nprint(*(version(name) for name in ${names}))`;
  const versions = await ask(python, ["-I", "-c", program]);
  return versions === packages.map((pin) => pin.version).join(" ") ? python : null;
}

/**
 * Returns `{ python }`, the interpreter of an environment, which is made if it is missing, or `{ reason }` if this fails.
 * `title` names many packages.
 */
export async function providePython({ packages, title }) {
  const installed = await installedPython({ packages });
  if (installed) return { python: installed };
  const base = await firstThatStarts();
  if (!base) return { reason: "there is no Python 3" };
  const names = title ?? packages.map((pin) => `${pin.package} ${pin.version}`).join(" and ");
  const home = homeOf(packages);
  try {
    await step(`installing ${names} from PyPI, once for all clones`, () => make(home, base, packages));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const lines = error.output.trim().split("\n");
    return { reason: `they could not be installed: ${lines.at(-1) || error.message}` };
  }
  return { python: interpreterIn(home) };
}

/**
 * Returns the interpreter of an environment with the latest releases of some packages. An existing environment is updated.
 */
export async function latestPython(base, home, names) {
  await run(base, ["-m", "venv", home]);
  await run(interpreterIn(home), ["-I", "-m", "pip", "install", "--upgrade", ...PACKAGES_ONLY, ...SOON, ...names]);
  return interpreterIn(home);
}

const interpreterIn = (home) =>
  process.platform === "win32" ? join(home, "Scripts", "python.exe") : join(home, "bin", "python");

async function firstThatStarts() {
  for (const name of INTERPRETERS) {
    if ((await ask(name, ["--version"]))?.startsWith("Python 3.")) return name;
  }
  return null;
}

async function make(home, base, packages) {
  // The existing environment does not work, so it is removed.
  rmSync(home, { recursive: true, force: true });
  await intoPlace(home, async (folder) => {
    await run(base, ["-m", "venv", folder]);
    const wanted = packages.map((pin) => `${pin.package}${pin.extras ? `[${pin.extras}]` : ""}==${pin.version}`);
    await run(interpreterIn(folder), ["-I", "-m", "pip", "install", ...PACKAGES_ONLY, ...SOON, ...wanted]);
  });
}
