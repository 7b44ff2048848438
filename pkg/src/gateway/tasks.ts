/**
 * Tasks of the older protocol: a call that goes on after its answer, and whose result is fetched later. The SDK passes their
 * messages on and knows nothing more of them; neither does the gateway, but which server a task belongs to.
 */

import type { Client } from "@modelcontextprotocol/client";
import type { Definitions } from "./types.js";

/** The key under which results and notifications name their task. */
const RELATED = "io.modelcontextprotocol/related-task";

/** The requests about a task. */
export const TASK_METHODS = ["tasks/get", "tasks/result", "tasks/cancel"] as const;

/** Whether a server runs calls of tools as tasks. */
export function hasTasks(definitions: Definitions | undefined): boolean {
  const { requests } = Object(definitions?.capabilities["tasks"]) as { requests?: { tools?: { call?: unknown } } };
  return definitions?.era !== "modern" && requests?.tools?.call !== undefined;
}

/** Whether a connection can carry tasks. */
export function carriesTasks(client: Client): boolean {
  return client.getProtocolEra() === "legacy" && client.getServerCapabilities()?.tasks !== undefined;
}

/** The name of a server's task for clients. It holds the server's name, so that the gateway has nothing to remember. */
export function shownId(server: string, own: string): string {
  return `${encodeURIComponent(server)}:${own}`;
}

/** The server of a task, and the task's name there; undefined for what is no name of a task. */
export function taskOf(shown: string): { server: string; own: string } | undefined {
  const at = shown.indexOf(":");
  if (at < 1) return undefined;
  try {
    return { server: decodeURIComponent(shown.slice(0, at)), own: shown.slice(at + 1) };
  } catch {
    return undefined;
  }
}

/** A message of a server about a task, with the name that clients know the task by. */
export function outward(server: string, message: unknown): unknown {
  const { taskId, task, _meta } = Object(message) as { taskId?: unknown; task?: unknown; _meta?: Record<string, unknown> };
  const related = Object(_meta?.[RELATED]) as { taskId?: unknown };
  const named = (id: unknown) => (typeof id === "string" ? { taskId: shownId(server, id) } : {});
  return {
    ...(message as object),
    ...named(taskId),
    ...(task !== undefined && { task: { ...(task as object), ...named((Object(task) as { taskId?: unknown }).taskId) } }),
    ...(related.taskId !== undefined && { _meta: { ..._meta, [RELATED]: { ...related, ...named(related.taskId) } } }),
  };
}
