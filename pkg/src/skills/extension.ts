/** The extension of MCP by which servers and clients say that they know skills, and requests that the SDK has no method for. */

import type { McpClient, McpRequestOptions } from "../servers/client.js";
import { ANYTHING } from "../upstream/list.js";

/** The extension, in the capabilities of servers and clients. */
export const SKILLS = "io.modelcontextprotocol/skills";

/** What a server's capabilities say of skills; undefined where it has none. */
export function extensionIn(capabilities: object | undefined): unknown {
  const { extensions } = Object(capabilities) as { extensions?: unknown };
  return (Object(extensions) as Record<string, unknown>)[SKILLS];
}

/** Whether a server with such an extension lists folders. */
export const hasDirectories = (extension: unknown): boolean =>
  (Object(extension) as { directoryRead?: unknown }).directoryRead === true;

type Asking = (request: object, schema: typeof ANYTHING, options: McpRequestOptions) => Promise<unknown>;

/** Whether a client can ask for skills, and its server has some. */
export function hasSkills(client: McpClient): boolean {
  const { request } = client as { request?: Asking };
  return typeof request === "function" && extensionIn(client.getServerCapabilities?.()) !== undefined;
}

/** Asks a server for anything; only of a client that can. */
export function asked(client: McpClient, method: string, params: object, options: McpRequestOptions): Promise<unknown> {
  return (client as unknown as { request: Asking }).request({ method, params }, ANYTHING, options);
}
