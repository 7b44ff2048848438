/** How one server is reached. */

/** How one server is reached: as a process of this machine, or behind a URL. `either` asks for HTTP, and then for SSE. */
export type ServerWay =
  | { kind: "stdio"; command: string; args: string[]; env?: Record<string, string>; cwd?: string }
  | { kind: "http" | "sse" | "either"; url: URL; headers: Record<string, string> };
