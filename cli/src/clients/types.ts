/**
 * The words of this folder: a client, its files, a server's entry in the form that all clients share, and what was wrong.
 */

import type { ServerEntry as Entry } from "toolsift/gateway";

/** A server that runs as a process on this machine. */
export type LocalEntry = Extract<Entry, { command: string }>;

/** A server that is reached by HTTP, and how to sign in to it, which toolsift's own file alone says. */
export type RemoteEntry = Extract<Entry, { url: string }> & { oauth?: Record<string, unknown> };

/** A server's entry in Cursor's form, which is also the form of toolsift's own file. */
export type ServerEntry = LocalEntry | RemoteEntry;

/** A server that was found in a file. */
export interface NamedServer {
  name: string;
  entry: ServerEntry;
  /** The file that names it. */
  file: string;
  /** Why the server cannot be started, where it cannot. */
  fault?: string;
}

/** A problem in a file. An error means that a part could not be read, or that a server is left out. */
export interface Problem {
  level: "error" | "note";
  file: string;
  message: string;
  /** Where in the file, both counted from 1. */
  line?: number;
  column?: number;
  /** The server that the problem is about. */
  server?: string;
}

/** The machine and user whose files are meant. Tests pass another one than the real one. */
export interface Place {
  platform: NodeJS.Platform;
  /** The user's home directory. */
  home: string;
  /** The folder in which the client or the command runs. */
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** `local` means: for one project, but kept in the user's file (Claude Code). */
export type Scope = "user" | "project" | "local";

/** One place where a client keeps servers. */
export interface Source {
  scope: Scope;
  /**
   * The path, with `{home}`, `{config}` (the system's folder for settings of applications), `{project}` (the folder of the
   * project) or `{NAME}` (an environment variable; without it the path does not apply). The first path that applies is used.
   */
  paths: readonly (string | Partial<Record<NodeJS.Platform, string>>)[];
  format: "json" | "toml";
  /** The keys that lead to the servers; `{project}` stands for the project's folder. */
  at: readonly string[];
  /** Keys that stand there and are no servers. */
  skip?: readonly string[];
  /** Other names of the file, which count where the first does not exist. */
  alternatives?: readonly string[];
  /** The key that is written to switch a server off, where it differs from the client's other files. */
  off?: Form["off"];
  /** An older place, which is read but never written. */
  legacy?: true;
}

type Keys = readonly [string, ...string[]];

/** How a client spells an entry. */
export interface Form {
  /** Whether `command` is written with the arguments in it. It is read both ways everywhere. */
  command: "string" | "array";
  /** The keys of each; the first is written. */
  env: Keys;
  url: Keys;
  headers: Keys;
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
  /** Whether Windows needs `cmd /c npx`, because the client starts programs without looking for `npx.cmd`. */
  cmd: boolean;
  /** Names of its process, in lower case, without `.exe`. */
  processes: readonly string[];
  /** Environment variables that it alone sets for the servers that it starts. */
  variables: readonly string[];
}

/** A failure that the user can do something about: commands print the message and exit with 1. */
export class ClientError extends Error {
  override name = "ClientError";
}
