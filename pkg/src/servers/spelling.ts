/** Reads what MCP clients write into their configurations in the one spelling that the rest reads, which is Claude's. */

/** Where clients keep their servers: Claude, Cursor, Windsurf, Cline and Gemini; VS Code; Codex; Zed; opencode. */
const WRAPPERS = ["mcpServers", "servers", "mcp_servers", "context_servers", "mcp"];
/** Other words for keys of ours: Windsurf and Gemini; Codex; opencode; Cline. */
const SPELLINGS: Readonly<Record<string, string>> = {
  serverUrl: "url",
  httpUrl: "url",
  http_headers: "headers",
  environment: "env",
  enabled_tools: "includeTools",
  disabled_tools: "excludeTools",
  disabledTools: "excludeTools",
};
/** Settings of clients that say nothing of how a server is reached: sign-in, approvals, time limits, display. */
const OF_CLIENTS = new Set(
  (
    "alwaysAllow autoApprove bearer_token_env_var description dev env_http_headers env_vars gallery icon oauth settings source " +
    "startup_timeout_ms startup_timeout_sec timeout tool_timeout_sec transportType trust version"
  ).split(" "),
);
/** opencode's types. */
const TYPES: Readonly<Record<string, string | undefined>> = { local: "stdio", remote: undefined };

type Fields = Readonly<Record<string, unknown>>;

/** The entries in a whole configuration of a client, or what was given, where it holds entries itself. */
export function entriesIn(given: Fields): Fields {
  for (const key of WRAPPERS) {
    const inner = given[key];
    // A server may have one of these names.
    if (!isFields(inner) || ["command", "url", "serverUrl", "httpUrl", "listTools"].some((name) => name in inner)) continue;
    return key === "mcp" && isFields(inner["servers"]) ? inner["servers"] : inner;
  }
  return given;
}

/** An entry in Claude's spelling, without the settings that are a client's own. */
export function spelled(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    if (value !== null && value !== undefined && !OF_CLIENTS.has(key)) said[SPELLINGS[key] ?? key] = value;
  }
  const { command, args, type } = said;
  if (typeof type === "string" && Object.hasOwn(TYPES, type)) {
    if (TYPES[type] === undefined) delete said["type"];
    else said["type"] = TYPES[type];
  }
  if (Array.isArray(command) && command.length > 0) {
    [said["command"], said["args"]] = [command[0], [...command.slice(1), ...(Array.isArray(args) ? args : [])]];
  } else if (isFields(command)) {
    // Zed's older form.
    const { path, ...rest } = command;
    Object.assign(said, rest, { command: path });
  }
  // Codex names variables.
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
