/**
 * Every MCP client in one table: where it keeps its servers and how it spells them. The comment of a row says what the client's
 * documentation or source confirms; where it is silent, the row says so.
 */

import { ClientError } from "./types.js";

/** `local` means: for one project, but kept in the user's file (Claude Code). */
export type Scope = "user" | "project" | "local";

/** A path with folders in braces, as `Source.paths` has it, on every platform or on the named ones. */
export type Path = string | Partial<Record<NodeJS.Platform, string>>;

/** One place where a client keeps servers. */
export interface Source {
  scope: Scope;
  /**
   * The first path that applies is used. `{home}`, `{config}` (the system's folder for settings of applications), `{xdg}` (the
   * same on Linux, `.config` in the home directory elsewhere), `{project}` (the project's folder) or `{NAME}` (an environment
   * variable; without it the path does not apply).
   */
  paths: readonly Path[];
  /** The keys that lead to the servers; `{project}` stands for the project's folder. */
  at: readonly string[];
  /** Keys that stand there and are no servers. */
  skip?: readonly string[];
  /** Other names of the file, which count where the first does not exist. */
  alternatives?: readonly Path[];
  /** The key that is written to switch a server off, where it differs from the client's other files. */
  off?: Form["off"];
}

/** How a client spells an entry. */
export interface Form {
  /** Whether `command` is written with the arguments in it. It is read both ways everywhere. */
  command: "string" | "array";
  /** The keys that are written; those of all clients are read everywhere. */
  env: "env" | "environment";
  url: "url" | "serverUrl";
  headers: "headers" | "http_headers";
  /** The values of `type` for a process and for a URL, if the client needs it. */
  types?: { local: string; remote: string };
  /** The key that is written to switch a server off. `disabled: true` and `enabled: false` are both read everywhere. */
  off: "disabled" | "enabled";
  /** The variables that the client replaces in values. */
  variables: readonly VariableSyntax[];
  /** Further keys that the client knows and that are lost behind toolsift without harm. */
  ignored: readonly string[];
  /** Keys without which the server would not work or be less safe: toolsift cannot carry them, so the server stays. */
  bound: readonly string[];
  /** Whether an entry may say how to sign in: toolsift's own file. */
  signsIn?: true;
}

/**
 * `${env:NAME}` · `${NAME}` and `${NAME:-default}` · `${workspaceFolder}`, `${userHome}` · `${input:id}` · `{env:NAME}` ·
 * everything that our own form has, escapes included
 */
export type VariableSyntax = "env" | "bare" | "folders" | "input" | "braces" | "own";

/** An MCP client. */
export interface Client {
  id: string;
  title: string;
  /** In the order in which the client prefers them: the first that names a server wins. */
  sources: readonly Source[];
  /** A path that exists where the client does, for one whose file stands in the home directory itself. */
  sign?: string;
  form: Form;
  /** It starts processes, and takes no URL in its file. */
  processesOnly?: true;
  /** Windows needs `cmd /c npx`, because the client starts programs without looking for `npx.cmd`. */
  cmd?: true;
}

/** The spelling that most clients share: `{ command, args, env }` or `{ url, headers }`. */
export const COMMON: Form = {
  command: "string",
  env: "env",
  url: "url",
  headers: "headers",
  off: "disabled",
  variables: [],
  ignored: [],
  bound: [],
};

/** That of clients whose entries name their transport. */
const TYPED: Form = { ...COMMON, types: { local: "stdio", remote: "http" } };

/** Codex' spelling (`codex-rs/config/src/mcp_types.rs`). It replaces no variables in values. */
export const CODEX: Form = {
  ...COMMON,
  headers: "http_headers",
  off: "enabled",
  ignored: [
    ...["startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "required", "supports_parallel_tool_calls", "name"],
    ...["default_tools_approval_mode", "tools", "scopes", "oauth_resource"],
  ],
  bound: ["env_vars", "enabled_tools", "disabled_tools", "experimental_environment", "oauth", "bearer_token"],
};

const source = (scope: Scope, paths: Path | readonly Path[], at: string, more: Partial<Source> = {}): Source => {
  return { scope, paths: [paths].flat(), at: at.split("."), ...more };
};

const CLAUDE_USER = ["{CLAUDE_CONFIG_DIR}/.claude.json", "{home}/.claude.json"];
const OPENCODE_USER = ["{OPENCODE_CONFIG}", "{xdg}/opencode/opencode.json"];
const OPENCODE_HERE = "{project}/.opencode/opencode.json";
/** opencode's other names of both files. */
const USERS = { alternatives: ["{xdg}/opencode/opencode.jsonc"] };
const PROJECTS = { alternatives: ["{project}/opencode.jsonc", OPENCODE_HERE, `${OPENCODE_HERE}c`] };
/** The form of opencode's version 2 switches servers off by another key; that of version 1 has keys that are no servers. */
const TWO = { off: "disabled" } as const;
const ONE = { skip: ["servers", "timeout"] };

/** All clients, in the order in which their files are read when nobody says which client is meant. */
export const CLIENTS: readonly Client[] = [
  // Documented (code.claude.com/docs/en/mcp): the scopes, their order, `CLAUDE_CONFIG_DIR`, `${NAME:-default}`, `cmd /c npx`.
  {
    id: "claude-code",
    title: "Claude Code",
    sources: [
      source("local", CLAUDE_USER, "projects.{project}.mcpServers"),
      source("project", "{project}/.mcp.json", "mcpServers"),
      source("user", CLAUDE_USER, "mcpServers"),
    ],
    sign: "{home}/.claude",
    form: { ...TYPED, variables: ["bare"], ignored: ["timeout", "alwaysLoad"], bound: ["headersHelper", "oauth"] },
    cmd: true,
  },
  // Documented for macOS and Windows; the unofficial builds for Linux use the same folder. Remote servers are connectors, which
  // are kept on Anthropic's servers.
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    sources: [source("user", "{config}/Claude/claude_desktop_config.json", "mcpServers")],
    form: COMMON,
    processesOnly: true,
  },
  // Documented (cursor.com/docs/mcp): files and variables. No key that switches a server off; others write `disabled`.
  {
    id: "cursor",
    title: "Cursor",
    sources: [
      source("project", "{project}/.cursor/mcp.json", "mcpServers"),
      source("user", "{home}/.cursor/mcp.json", "mcpServers"),
    ],
    form: { ...COMMON, variables: ["env", "folders"], ignored: ["autoApprove", "alwaysAllow"], bound: ["envFile", "auth"] },
  },
  // Documented ("MCP configuration reference"): form, `inputs`, the workspace's file. The user's file is the default profile's;
  // other profiles and Insiders are not read.
  {
    id: "vscode",
    title: "VS Code",
    sources: [
      source("project", "{project}/.vscode/mcp.json", "servers"),
      source("user", "{config}/Code/User/mcp.json", "servers"),
    ],
    form: {
      ...TYPED,
      variables: ["env", "folders", "input"],
      ignored: ["dev", "gallery", "version"],
      bound: ["envFile", "sandbox", "sandboxEnabled", "oauth"],
    },
  },
  // Documented (docs.windsurf.com, docs.devin.ai): the file, `serverUrl`, `${env:NAME}`. Plugins for other editors use the
  // second file. There is none for a project.
  {
    id: "windsurf",
    title: "Windsurf",
    sources: [
      source("user", "{home}/.codeium/windsurf/mcp_config.json", "mcpServers", {
        alternatives: ["{home}/.codeium/mcp_config.json"],
      }),
    ],
    form: { ...COMMON, url: "serverUrl", variables: ["env"], ignored: ["disabledTools", "alwaysAllow"] },
  },
  // Documented: `CODEX_HOME`. Command line, editor extension and desktop app share the file; the project's counts in trusted
  // projects.
  {
    id: "codex",
    title: "Codex",
    sources: [
      source("project", "{project}/.codex/config.toml", "mcp_servers"),
      source("user", ["{CODEX_HOME}/config.toml", "{home}/.codex/config.toml"], "mcp_servers"),
    ],
    form: CODEX,
    cmd: true,
  },
  // Documented: version 2 keeps servers under `mcp.servers` (opencode.ai/v2/docs/mcp-servers), version 1 under `mcp`. Version 2
  // reads both and prefers its own; a file without servers gets the form of version 1, which every version reads.
  {
    id: "opencode",
    title: "opencode",
    sources: [
      source("project", "{project}/opencode.json", "mcp.servers", { ...PROJECTS, ...TWO }),
      source("project", "{project}/opencode.json", "mcp", { ...PROJECTS, ...ONE }),
      source("user", OPENCODE_USER, "mcp.servers", { ...USERS, ...TWO }),
      source("user", OPENCODE_USER, "mcp", { ...USERS, ...ONE }),
    ],
    form: {
      ...COMMON,
      command: "array",
      env: "environment",
      types: { local: "local", remote: "remote" },
      off: "enabled",
      variables: ["braces"],
      ignored: ["timeout", "codemode"],
      bound: ["oauth"],
    },
  },
  // Documented (zed.dev/docs/ai/mcp), Windows' folder from the source. An entry without a command is an extension's, and an older
  // one has an object as `command`: both stay where they are.
  {
    id: "zed",
    title: "Zed",
    sources: [
      source("project", "{project}/.zed/settings.json", "context_servers"),
      source("user", [{ win32: "{config}/Zed/settings.json" }, "{xdg}/zed/settings.json"], "context_servers"),
    ],
    form: { ...COMMON, off: "enabled", ignored: ["source", "timeout"], bound: ["settings", "oauth", "remote"] },
    cmd: true,
  },
];

/** The ids of all clients, for messages. */
export const CLIENT_IDS = CLIENTS.map((client) => client.id);

/** The client of an id. @throws ClientError for an unknown one */
export function clientOf(id: string): Client {
  const client = CLIENTS.find((one) => one.id === id);
  if (client) return client;
  throw new ClientError(
    `Unknown client ${JSON.stringify(String(id).slice(0, 40))}. Known clients: ${CLIENT_IDS.join(", ")}.`,
  );
}
