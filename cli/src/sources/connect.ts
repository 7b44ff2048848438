/** Connects to a server that is a process, and says what the process did where that fails. */

import { Client } from "@modelcontextprotocol/client";
import { transportFor } from "../gateway/transports.js";

/** Whether an entry of a configuration starts a process. Wrong entries do not. */
export function isProcess(config: unknown): boolean {
  const { command, url, type = "stdio", disabled } = Object(config) as Record<string, unknown>;
  return typeof command === "string" && url === undefined && type === "stdio" && disabled !== true;
}

/**
 * A client of a server that is started now. The process has ended when this throws.
 *
 * @param config its entry: `{ command, args, env, cwd }`
 * @throws Error that says why it did not start: how the process ended, and what it wrote
 */
export async function connectProcess(name: string, config: unknown, timeoutMs: number): Promise<Client> {
  const transport = transportFor(name, config);
  const client = new Client({ name: "toolsift", version: "1" });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    return client;
  } catch (error) {
    const reason = transport.explain(error);
    await transport.close();
    throw reason;
  }
}
