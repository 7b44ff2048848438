/** One tool as its server wrote it. Keys that are not named here are kept, and passed on where the tool is listed. */
export interface ServerTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  icons?: unknown;
  execution?: unknown;
  _meta?: unknown;
}
