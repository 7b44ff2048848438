/** The words of this folder: a server's entry in the form that all clients share, where it was found, and what was wrong. */

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

/** A failure that the user can do something about: commands print the message and exit with 1. */
export class ClientError extends Error {
  override name = "ClientError";
}
