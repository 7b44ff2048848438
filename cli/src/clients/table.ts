/**
 * A table of all known MCP clients: the places of their servers and the form of their entries. The comment above a row names
 * the facts that the client's documentation or source confirms.
 */

import { Failure } from "../base/failure.js";

/** The scope of a file. `local` means: for one project, but stored in the user's file (Claude Code). */
export type Scope = "user" | "project" | "local";

/** A path with placeholders for folders (see `Source.paths`): one for every platform, or one for each named platform. */
export type Path = string | Partial<Record<NodeJS.Platform, string>>;

/** One place in which a client stores servers. */
export interface Source {
  scope: Scope;
  /**
   * The possible paths; the first one that applies is used. Placeholders: `{home}`, `{config}` (the system's folder for the
   * settings of applications), `{xdg}` (`XDG_CONFIG_HOME`, or `.config` in the home directory), `{project}` (the project's
   * folder) and `{NAME}` (an environment variable; if it is not set, the path does not apply).
   */
  paths: readonly Path[];
  /** The keys that lead to the servers. `{project}` stands for the project's folder. */
  at: readonly string[];
  /** Keys at this place that are not servers. */
  skip?: readonly string[];
  /** Other paths of the file, used if the first one does not exist. */
  alternatives?: readonly Path[];
  /** The key that switches a server off in this file, if the client's other files use another key. */
  off?: Form["off"];
}

/** The form in which a client writes an entry. toolsift reads the forms of all clients in every file. */
export interface Form {
  /** Whether `command` is written as a string, or as an array that includes the arguments. */
  command: "string" | "array";
  /** The names of the keys that are written. */
  env: "env" | "environment";
  url: "url" | "serverUrl";
  headers: "headers" | "http_headers";
  /** The values of `type` for a process and for a URL, if the client needs it. */
  types?: { local: string; remote: string };
  /** The key that is written to switch a server off: `disabled: true` or `enabled: false`. */
  off: "disabled" | "enabled";
  /** The variables that the client replaces in values. */
  variables: readonly VariableSyntax[];
  /** Further known keys that toolsift can drop without harm. */
  ignored: readonly string[];
  /** Keys without which a server does not work or is not safe, and which toolsift does not support: `mcp add` leaves it. */
  bound: readonly string[];
  /** Whether an entry may have `oauth` settings. Only toolsift's own file allows them. */
  signsIn?: true;
}

/**
 * A kind of variable. `env`: `${env:NAME}`. `bare`: `${NAME}` and `${NAME:-default}`. `folders`: `${workspaceFolder}` and
 * `${userHome}`. `input`: `${input:id}`. `braces`: `{env:NAME}`. `own`: all variables of toolsift's own file.
 */
export type VariableSyntax = "env" | "bare" | "folders" | "input" | "braces" | "own";

/** An MCP client. */
export interface Client {
  id: string;
  title: string;
  /** The client's files, in its order of preference. If several name the same server, the first one is used. */
  sources: readonly Source[];
  /** A path that exists only if the client is installed. Needed if its file is in the home directory, which always exists. */
  sign?: string;
  form: Form;
  /** The client's file can only start processes and cannot have URLs. */
  processesOnly?: true;
  /** On Windows, the client needs `cmd /c npx`, because it does not find `npx.cmd` itself. */
  cmd?: true;
}

/** The form that most clients share: `{ command, args, env }` or `{ url, headers }`. */
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

/** The form of clients whose entries have a `type` for the transport. */
const TYPED: Form = { ...COMMON, types: { local: "stdio", remote: "http" } };

/** The form of Codex (`codex-rs/config/src/mcp_types.rs`). Codex replaces no variables in values. */
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
/** The other paths of opencode's files for the user and for a project. */
const USERS = { alternatives: ["{xdg}/opencode/opencode.jsonc"] };
const PROJECTS = { alternatives: ["{project}/opencode.jsonc", OPENCODE_HERE, `${OPENCODE_HERE}c`] };
/** opencode version 2 switches servers off with `disabled`. In version 1, some keys are not servers. */
const TWO = { off: "disabled" } as const;
const ONE = { skip: ["servers", "timeout"] };

/** All clients. If no client is named, their files are read in this order. */
export const CLIENTS: readonly Client[] = [
  // Documented (code.claude.com/docs/en/mcp): the scopes, their order, `CLAUDE_CONFIG_DIR`, `${NAME:-default}`, `cmd /c
  // npx`.
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
  // Documented for macOS and Windows; the unofficial builds for Linux use the same folder. Remote servers are not in the
  // file: they are connectors in the user's account at Anthropic.
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    sources: [source("user", "{config}/Claude/claude_desktop_config.json", "mcpServers")],
    form: COMMON,
    processesOnly: true,
  },
  // Documented (cursor.com/docs/mcp): files and variables. It documents no key to switch a server off; `disabled` is used.
  {
    id: "cursor",
    title: "Cursor",
    sources: [
      source("project", "{project}/.cursor/mcp.json", "mcpServers"),
      source("user", "{home}/.cursor/mcp.json", "mcpServers"),
    ],
    form: { ...COMMON, variables: ["env", "folders"], ignored: ["autoApprove", "alwaysAllow"], bound: ["envFile", "auth"] },
  },
  // Documented ("MCP configuration reference"): form, `inputs`, the workspace's file. The user's file is that of the
  // default profile. Other profiles, and VS Code Insiders, are not read.
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
  // second file. There is no file for a project.
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
  // Documented: `CODEX_HOME`. Command line, editor extension and desktop app share the file. Codex reads the project's file
  // only in trusted projects.
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
  // Documented: version 2 keeps servers under `mcp.servers` (opencode.ai/v2/docs/mcp-servers), version 1 under `mcp`.
  // Version 2 reads both and prefers `mcp.servers`. A file without servers gets the form of version 1, which every version
  // reads.
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
  // Documented (zed.dev/docs/ai/mcp); the folder on Windows is taken from Zed's source code. An entry without a command belongs to an
  // extension. An older entry has an object as `command`. Entries of both kinds stay in the client.
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

/** The ids of all clients. */
export const CLIENT_IDS = CLIENTS.map((client) => client.id);

/** Returns the client with an id. @throws Failure for an unknown id */
export function clientOf(id: string): Client {
  const client = CLIENTS.find((one) => one.id === id);
  if (client) return client;
  throw new Failure(`Unknown client ${JSON.stringify(String(id).slice(0, 40))}. Known clients: ${CLIENT_IDS.join(", ")}.`);
}
