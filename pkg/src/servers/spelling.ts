/** Converts the configuration formats of MCP clients to one format, Claude's. */

import clients from "./clients.json" with { type: "json" };

const SPELLINGS: Readonly<Record<string, string>> = clients.spellings;
/** Settings of clients that do not describe the connection: sign-in, approvals, time limits, display. */
const OF_CLIENTS: ReadonlySet<string> = new Set(clients.ofClients);

type Fields = Readonly<Record<string, unknown>>;

/** Returns the server entries of a client's whole configuration, or the argument itself if it has the entries directly. */
export function entriesIn(given: Fields): Fields {
  for (const key of clients.wrappers) {
    const inner = given[key];
    // A server may have the name of a wrapper key.
    if (!isFields(inner) || ["command", "url", "serverUrl", "httpUrl", "listTools"].some((name) => name in inner)) continue;
    return key === "mcp" && isFields(inner["servers"]) ? inner["servers"] : inner;
  }
  return given;
}

/** Returns an entry in Claude's format, without the client's own settings. */
export function spelled(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    if (value !== null && value !== undefined && !OF_CLIENTS.has(key)) said[SPELLINGS[key] ?? key] = value;
  }
  const { command, args } = said;
  if (Array.isArray(command) && command.length > 0) {
    [said["command"], said["args"]] = [command[0], [...command.slice(1), ...(Array.isArray(args) ? args : [])]];
  } else if (isFields(command)) {
    // Zed's older format.
    const { path, ...rest } = command;
    Object.assign(said, rest, { command: path });
  }
  // Codex gives the names of variables.
  const of = isFields(entry["env_http_headers"]) ? entry["env_http_headers"] : {};
  const token = entry["bearer_token_env_var"];
  const headers = {
    ...Object.fromEntries(Object.entries(of).map(([name, variable]) => [name, `\${${String(variable)}}`])),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
  };
  if (Object.keys(headers).length > 0) said["headers"] = { ...headers, ...(isFields(said["headers"]) && said["headers"]) };
  return said;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
