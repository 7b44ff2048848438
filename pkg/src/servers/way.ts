/** The types of one server in a configuration: its entry, and the way to connect to it. */

/** A checked entry of `mcpServers`. Its variables are not filled in yet. */
export type ServerEntry =
  | { command: string; args?: string[]; env?: Record<string, string>; cwd?: string; disabled?: true }
  | { url: string; headers?: Record<string, string>; type?: "http" | "sse"; disabled?: true };

/** The way to connect: a process on this machine, or a URL. `either` tries HTTP first, and then SSE. */
export type ServerWay =
  | { kind: "stdio"; command: string; args: string[]; env?: Record<string, string>; cwd?: string }
  | { kind: "http" | "sse" | "either"; url: URL; headers: Record<string, string> };
