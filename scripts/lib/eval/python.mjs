/** Installs the peers that are Python packages into a virtual environment, once for all clones. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../paths.mjs";
import { intoPlace } from "../place.mjs";
import { step } from "../progress.mjs";
import { ask, CommandFailed, run } from "../run.mjs";

/** The package of each peer; the versions are pinned like every dependency. */
export const PYTHON_PEERS = {
  fastmcp: { package: "fastmcp", version: "4.1.2" },
  "pydantic-ai": { package: "pydantic-ai-slim", version: "2.68.0" },
};

const pins = Object.values(PYTHON_PEERS);
const HOME = join(cacheDir, "tools", `python-${pins.map((pin) => `${pin.package}-${pin.version}`).join("-")}`);
const INTERPRETERS = ["python3", "python"];
const PACKAGES_ONLY = ["--only-binary", ":all:", "--disable-pip-version-check", "--no-input", "--quiet"];
/** Without a network, pip would try for minutes. */
const SOON = ["--retries", "1", "--timeout", "15"];

const VERSIONS = `
from importlib.metadata import version
print(*(version(name) for name in ${JSON.stringify(pins.map((pin) => pin.package))}))`;

/** The interpreter of the environment, or null where there is none. */
export async function installedPython(home = HOME) {
  const python = interpreterIn(home);
  const versions = await ask(python, ["-I", "-c", VERSIONS]);
  return versions === pins.map((pin) => pin.version).join(" ") ? python : null;
}

/** `{ python }`, the interpreter of an environment that is made where it is missing, or the `reason` why there is none. */
export async function providePython({ home = HOME, interpreters = INTERPRETERS } = {}) {
  const installed = await installedPython(home);
  if (installed) return { python: installed };
  const base = await firstThatStarts(interpreters);
  if (!base) return { reason: "there is no Python 3" };
  const names = pins.map((pin) => `${pin.package} ${pin.version}`).join(" and ");
  try {
    await step(`installing ${names} from PyPI, once for all clones`, () => make(home, base));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const lines = error.output.trim().split("\n");
    return { reason: `they could not be installed: ${lines.at(-1) || error.message}` };
  }
  return { python: interpreterIn(home) };
}

const interpreterIn = (home) =>
  process.platform === "win32" ? join(home, "Scripts", "python.exe") : join(home, "bin", "python");

async function firstThatStarts(interpreters) {
  for (const name of interpreters) {
    if ((await ask(name, ["--version"]))?.startsWith("Python 3.")) return name;
  }
  return null;
}

async function make(home, base) {
  // What stands there did not answer.
  rmSync(home, { recursive: true, force: true });
  await intoPlace(home, async (folder) => {
    await run(base, ["-m", "venv", folder]);
    const wanted = pins.map((pin) => `${pin.package}==${pin.version}`);
    await run(interpreterIn(folder), ["-I", "-m", "pip", "install", ...PACKAGES_ONLY, ...SOON, ...wanted]);
  });
}
