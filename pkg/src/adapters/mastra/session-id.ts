/** Finds the conversation of a run: the thread of Mastra's memory, as the request says it. */

import { MASTRA_RESOURCE_ID_KEY, MASTRA_THREAD_ID_KEY, type RequestContext } from "@mastra/core/request-context";
import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";

/** The data of a run from which its session is chosen. */
export interface AboutRun {
  requestContext: RequestContext | undefined;
  /** The thread of the agent's memory, where the run has one. */
  threadId: string | undefined;
  /** Whose thread it is. */
  resourceId: string | undefined;
}

/** The key under which the agent keeps the messages of its memory. */
const MEMORY = "MastraMemory";

/** The run that a request belongs to. */
export function aboutRun(requestContext: RequestContext | undefined): AboutRun {
  const memory = Object(requestContext?.get(MEMORY)) as { thread?: { id?: unknown } | null; resourceId?: unknown };
  const threadId = text(memory.thread?.id) ?? text(requestContext?.get(MASTRA_THREAD_ID_KEY));
  const resourceId = text(memory.resourceId) ?? text(requestContext?.get(MASTRA_RESOURCE_ID_KEY));
  return { requestContext, threadId, resourceId };
}

/**
 * The session id of a thread: `resource/thread`, with every `%` and `/` of theirs written as `%25` and `%2F`, so that no two
 * threads share one. For `sift.session(id)` and snapshots outside the agent.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function threadSessionId(threadId: string, resourceId = ""): string {
  for (const [what, id] of Object.entries({ threadId, resourceId })) {
    if (typeof id !== "string") throw new ToolSiftError("option_invalid", `${what} is ${kind(id)}; it must be a string`);
  }
  return [resourceId, threadId].map((part) => part.replaceAll("%", "%25").replaceAll("/", "%2F")).join("/");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
