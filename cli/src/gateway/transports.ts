/** Transports of the SDK for the servers of a configuration: processes, Streamable HTTP and SSE. */

import type { Transport } from "@modelcontextprotocol/client";
import spawn from "cross-spawn";
import { processTransport } from "toolsift/gateway";
import { type RemoteHooks, RemoteTransport } from "./remote.js";
import { serverWay } from "../clients/server-config.js";

/** The surroundings of a connection. */
export interface TransportHooks extends RemoteHooks {
  /** The longest message of a process. */
  messageBytes?: number;
}

/** A transport that can say more about its errors than the SDK's client does. */
export interface ServerTransport extends Transport {
  /**
   * An error of a client on this transport, in words for the user: what the process wrote and how it ended, which address
   * did not answer and why, or that the user has to sign in (`SignInNeeded` with its `url`).
   */
  explain(error: unknown): Error;
}

/**
 * A fresh transport for one server. Nothing is started before the SDK's client connects with it.
 *
 * @param name the server's name in the configuration
 * @param serverConfig its entry, with its variables filled in: `{ command, args, env, cwd }` or `{ url, headers, type, oauth }`
 * @throws Error when the entry is wrong
 */
export function transportFor(name: string, serverConfig: unknown, hooks: TransportHooks = {}): ServerTransport {
  const way = serverWay(name, serverConfig);
  if (way.kind !== "stdio") return new RemoteTransport(name, way, hooks);
  const { messageBytes } = hooks;
  return processTransport(way, { spawn, ...(messageBytes !== undefined && { messageBytes }) }) as ServerTransport;
}
