/** Makes the transport for a server of a configuration: a process, Streamable HTTP or SSE. */

import spawn from "cross-spawn";
import { processTransport } from "toolsift/gateway";
import { type RemoteHooks, remoteTransport, type ServerTransport } from "./remote.js";
import { serverWay } from "../clients/server-config.js";

/**
 * Makes a new transport for one server. The server is started only when a client connects.
 *
 * @param name the server's name in the configuration
 * @param serverConfig its entry with filled-in variables: `{ command, args, env, cwd }` or `{ url, headers, type, oauth }`
 * @throws Error if the entry is wrong
 */
export function transportFor(name: string, serverConfig: unknown, hooks: RemoteHooks = {}): ServerTransport {
  const way = serverWay(name, serverConfig);
  if (way.kind !== "stdio") return remoteTransport(name, way, hooks);
  return processTransport(way, { spawn }) as ServerTransport;
}
