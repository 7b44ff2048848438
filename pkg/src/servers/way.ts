/** One server of a configuration: its entry, and how the server is reached. */

/** An entry of `mcpServers`, checked. Its variables are not filled in. */
export type ServerEntry =
  | { command: string; args?: string[]; env?: Record<string, string>; cwd?: string; disabled?: true }
  | { url: string; headers?: Record<string, string>; type?: "http" | "sse"; disabled?: true };

/** How one server is reached: as a process of this machine, or behind a URL. `either` asks for HTTP, and then for SSE. */
export type ServerWay =
  | { kind: "stdio"; command: string; args: string[]; env?: Record<string, string>; cwd?: string }
  | { kind: "http" | "sse" | "either"; url: URL; headers: Record<string, string> };
