/** The types of this folder: a server's entry in the common form, its file, and problems in files. */

import type { ServerEntry as Entry } from "toolsift/gateway";

/** A server that runs as a process on this machine. */
export type LocalEntry = Extract<Entry, { command: string }>;

/** A remote server over HTTP. Only entries in toolsift's own file have `oauth`, the settings to sign in. */
export type RemoteEntry = Extract<Entry, { url: string }> & { oauth?: Record<string, unknown> };

/** A server's entry in Cursor's form, which is also the form of toolsift's own file. */
export type ServerEntry = LocalEntry | RemoteEntry;

/** A server that was found in a file. */
export interface NamedServer {
  name: string;
  entry: ServerEntry;
  /** The file that names it. */
  file: string;
  /** The reason why the server cannot be started; missing if it can. */
  fault?: string;
}

/** A problem in a file. An error means that a part could not be read, or that a server is left out. */
export interface Problem {
  level: "error" | "note";
  file: string;
  message: string;
  /** The position in the file. Lines and columns count from 1. */
  line?: number;
  column?: number;
  /** The server that the problem is about. */
  server?: string;
}

/** The platform, folders and environment in which files are searched. Tests pass other values than the real ones. */
export interface Place {
  platform: NodeJS.Platform;
  /** The user's home directory. */
  home: string;
  /** The folder in which the client or the command runs. */
  cwd: string;
  env: NodeJS.ProcessEnv;
}
