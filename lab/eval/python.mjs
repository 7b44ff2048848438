/** Installs the compared Python packages into a virtual environment of their own. */

import { providePython as provide } from "../../scripts/lib/python.mjs";

/** The package of each peer; the versions are pinned like every dependency. */
export const PYTHON_PEERS = {
  fastmcp: { package: "fastmcp", version: "4.1.2" },
  "pydantic-ai": { package: "pydantic-ai-slim", version: "2.68.0" },
};

const packages = Object.values(PYTHON_PEERS);

/** `{ python }`, the interpreter of the peers' environment, or the `reason` why there is none. */
export const providePython = (options = {}) => provide({ packages, ...options });
