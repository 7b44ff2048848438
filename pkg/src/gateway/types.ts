/** What the gateway is given, and what it says of itself. */

/** One tool as its server wrote it. */
export interface ServerTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  _meta?: unknown;
}

/** What a server says of itself, kept between processes so that a search works before the server runs. */
export interface Definitions {
  /** The server's own name and version. */
  server?: { name: string; version: string };
  instructions?: string;
  capabilities: Record<string, unknown>;
  tools: ServerTool[];
  prompts: { name: string }[];
  resources: { uri: string }[];
  resourceTemplates: { uriTemplate: string }[];
}

/** Keeps definitions from one process to the next. */
export interface DefinitionCache {
  /** What was kept of a server; undefined where nothing was, or where the server is configured differently now. */
  read(server: string): Promise<Definitions | undefined>;
  write(server: string, definitions: Definitions): Promise<void>;
}

/** Decides which of a server's tools may be found and called. */
export interface TrustPolicy {
  /** Is asked with every list that a server returns, before any of it is used. */
  review(server: string, tools: readonly ServerTool[]): Promise<Review>;
}

/** What a trust policy decided. */
export interface Review {
  admitted: ServerTool[];
  /** Tools that are not found and not called, and why. */
  held: { name: string; reason: string }[];
}
