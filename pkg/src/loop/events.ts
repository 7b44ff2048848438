/** The events of a run: searches, reveals (loaded tools), dispatches and refusals, each with attributes for telemetry. */

import type { ErrorCode } from "../types/index.js";

/** The values that telemetry accepts as attributes. */
export type Attribute = string | number | boolean | string[];

interface EventBase {
  /** The session's id. */
  session: string;
  /** The number of the model's reply with the call, from 1; 0 before the first reply, for tools that are loaded ahead. */
  step: number;
  /** The call's id, if the vendor sends one. */
  callId?: string | undefined;
  /** The name that the model used; `prefetch` if the user's message loaded the tools. */
  tool: string;
  /** The start, in ms since 1970. */
  startTime: number;
  /** The duration, in ms. */
  duration: number;
  /**
   * The event's data, ready for `span.setAttributes`. The names follow OpenTelemetry's conventions for generative AI
   * (`gen_ai.operation.name`, `gen_ai.tool.name`, `gen_ai.tool.type`, `gen_ai.tool.call.id`, `gen_ai.conversation.id`,
   * `error.type`); other names begin with `toolsift.`. A reveal has no operation name, because another operation caused it.
   */
  attributes: Record<string, Attribute>;
}

/** A call of a discovery tool was answered. */
export interface SearchEvent extends EventBase {
  type: "search";
  /** The queries, one a line; null for a discovery tool without a query. They are people's own words: keep them private. */
  query: string | null;
  /** The ranker of the session's settings; `own` if your `rank` chose the tools, `sift+own` if it scored them. */
  ranker: string;
  /** The version of the core. Its rankers can change with each version. */
  rankerVersion: string;
  /** The reason why your `rank` was not used and the core ranked: it threw, took too long, or returned something else. */
  rankError?: string | undefined;
  /** The tools that the call loaded. */
  revealed: string[];
  /** The tools that the answer names, loaded or not. The model knows them from now on. */
  found: string[];
  /** Tokens of the answer, as characters / 4. */
  tokens: number;
}

/** Tools were loaded: by a search, by an add tool, by a call of a deferred tool, or ahead of the model's first reply. */
export interface RevealEvent extends EventBase {
  type: "reveal";
  /** The names that the model sees from the next request. */
  revealed: string[];
  /** Tokens of their definitions, as characters / 4. */
  tokens: number;
}

/** A tool of the catalog ran. */
export interface DispatchEvent extends EventBase {
  type: "dispatch";
  /** The name under which your program registered the tool. */
  name: string;
  server: string | null;
  /** True if the tool threw, or if its result states an error. */
  isError: boolean;
  /** Tokens of the answer, as characters / 4. */
  tokens: number;
}

/** A call was not run: the tool is unknown, out of scope or not loaded, or the call is invalid. */
export interface RefuseEvent extends EventBase {
  type: "refuse";
  code: ErrorCode;
  message: string;
}

/** The events that `onEvent` receives. */
export type ToolEvent = SearchEvent | RevealEvent | DispatchEvent | RefuseEvent;

type Untold<E> = E extends ToolEvent ? Omit<E, "attributes"> : never;

/** Returns the event with its attributes. */
export function withAttributes(event: Untold<ToolEvent>): ToolEvent {
  const { type, session, step, callId, tool, duration } = event;
  const attributes: Record<string, Attribute> = {
    "gen_ai.tool.name": tool,
    "gen_ai.conversation.id": session,
    "toolsift.event": type,
    "toolsift.step": step,
    "toolsift.duration_ms": duration,
  };
  if (type !== "reveal") {
    attributes["gen_ai.operation.name"] = "execute_tool";
    attributes["gen_ai.tool.type"] = "function";
  }
  if (callId !== undefined) attributes["gen_ai.tool.call.id"] = callId;
  if (event.type === "search") {
    attributes["toolsift.ranker.name"] = event.ranker;
    attributes["toolsift.ranker.version"] = event.rankerVersion;
    if (event.query !== null) attributes["toolsift.query"] = event.query;
    if (event.rankError !== undefined) attributes["toolsift.ranker.error"] = event.rankError;
  }
  if (event.type === "search" || event.type === "reveal") attributes["toolsift.revealed"] = event.revealed;
  if (event.type === "dispatch") {
    attributes["toolsift.tool.name"] = event.name;
    if (event.server !== null) attributes["toolsift.tool.server"] = event.server;
    if (event.isError) attributes["error.type"] = "tool_error";
  }
  if (event.type === "refuse") attributes["error.type"] = event.code;
  else attributes["toolsift.tokens"] = event.tokens;
  return { ...event, attributes } as ToolEvent;
}
