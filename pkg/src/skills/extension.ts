/** MCP's extension for skills: reads it from capabilities, and sends its requests, for which the SDK has no method. */

import type { McpClient, McpRequestOptions } from "../servers/client.js";
import { ANYTHING } from "../upstream/list.js";

/** The extension's name in the capabilities of servers and clients. */
export const SKILLS = "io.modelcontextprotocol/skills";

/** Returns the skills extension in a server's capabilities; undefined if the server does not have it. */
export function extensionIn(capabilities: object | undefined): unknown {
  const { extensions } = Object(capabilities) as { extensions?: unknown };
  return (Object(extensions) as Record<string, unknown>)[SKILLS];
}

/** Checks if a server with this extension lists folders. */
export const hasDirectories = (extension: unknown): boolean =>
  (Object(extension) as { directoryRead?: unknown }).directoryRead === true;

type Asking = (request: object, schema: typeof ANYTHING, options: McpRequestOptions) => Promise<unknown>;

/** Checks if a client can send requests for skills, and its server has skills. */
export function hasSkills(client: McpClient): boolean {
  const { request } = client as { request?: Asking };
  return typeof request === "function" && extensionIn(client.getServerCapabilities?.()) !== undefined;
}

/** Sends any request to a server. The client must have the method `request`. */
export function asked(client: McpClient, method: string, params: object, options: McpRequestOptions): Promise<unknown> {
  return (client as unknown as { request: Asking }).request({ method, params }, ANYTHING, options);
}
