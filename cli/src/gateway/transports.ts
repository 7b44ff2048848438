/** Transports of the SDK for the servers of a configuration: processes, Streamable HTTP and SSE. */

import spawn from "cross-spawn";
import { processTransport } from "toolsift/gateway";
import { type RemoteHooks, remoteTransport, type ServerTransport } from "./remote.js";
import { serverWay } from "../clients/server-config.js";

/**
 * A fresh transport for one server. Nothing is started before the SDK's client connects with it.
 *
 * @param name the server's name in the configuration
 * @param serverConfig its entry, with its variables filled in: `{ command, args, env, cwd }` or `{ url, headers, type, oauth }`
 * @throws Error when the entry is wrong
 */
export function transportFor(name: string, serverConfig: unknown, hooks: RemoteHooks = {}): ServerTransport {
  const way = serverWay(name, serverConfig);
  if (way.kind !== "stdio") return remoteTransport(name, way, hooks);
  return processTransport(way, { spawn }) as ServerTransport;
}
