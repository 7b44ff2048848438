/** Reads from a client's configuration (`mcp.json` and similar files) how its servers are started. */
import { isRecord } from "./json.ts";

export interface Configured {
  server: string;
  /** The package, with `pypi:` in front of a Python package, or the URL; null if neither is known. */
  start: string | null;
}

/** Returns the servers of a configuration; null if the value is no configuration. */
export function configuredServers(value: unknown): Configured[] | null {
  if (!isRecord(value)) return null;
  const { mcp } = value;
  const inside = [
    value["mcpServers"],
    value["servers"],
    value["context_servers"],
    isRecord(mcp) ? (mcp["servers"] ?? mcp) : null,
  ];
  const starts = (one: unknown) => isRecord(one) && ("command" in one || "url" in one || "serverUrl" in one);
  const servers = inside.find((one) => isRecord(one) && Object.values(one).some(starts));
  if (!isRecord(servers)) return null;
  return Object.entries(servers)
    .filter(([, entry]) => starts(entry))
    .map(([server, entry]) => ({ server, start: startOf(entry as Record<string, unknown>) }));
}

/** The programs that run npm and Python packages, and the words that may be before the package's name. */
const NPM = new Set(["npx", "bunx", "npm", "pnpm", "yarn", "bun"]);
const PYTHON = new Set(["uvx", "uv", "pipx"]);
const BEFORE = new Set(["exec", "x", "dlx", "tool", "run"]);
/** Flags that are followed by the package's name. */
const NAMING = new Set(["--package", "-p", "--from"]);

function startOf(entry: Record<string, unknown>): string | null {
  const url = entry["url"] ?? entry["serverUrl"];
  if (typeof url === "string") return URL.canParse(url) ? url : null;
  const [command = "", ...args] = [entry["command"], entry["args"]].flat(2).map(String);
  const program = command.replace(/^.*[\\/]/, "").replace(/\.(cmd|exe)$/i, "");
  // Windows starts npx through its shell.
  if (program === "cmd") return startOf({ command: args.find((arg) => NPM.has(arg)), args: args.slice(2) });
  const python = PYTHON.has(program);
  if (!python && !NPM.has(program)) return null;
  const naming = args.findIndex((arg) => NAMING.has(arg.split("=")[0] ?? ""));
  const given = args[naming]?.includes("=") ? args[naming]?.split("=")[1] : args[naming + 1];
  const words = args.filter((arg) => !arg.startsWith("-") && !BEFORE.has(arg) && !NPM.has(arg));
  const name = naming >= 0 ? given : words[0];
  if (name === undefined) return null;
  return python ? `pypi:${name.replace(/(\[|==|@).*$/, "")}` : name;
}
