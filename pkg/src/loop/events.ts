/** The events of a run: searches, reveals, dispatches and refusals, each with the attributes of telemetry. */

import type { ErrorCode } from "../types/index.js";

/** The values that telemetry accepts as attributes. */
export type Attribute = string | number | boolean | string[];

interface EventBase {
  /** The session's id. */
  session: string;
  /** The number of the model's reply that holds the call, from 1; 0 before the first one, as for what is loaded ahead. */
  step: number;
  /** The call's id, where the vendor has one. */
  callId?: string | undefined;
  /** The name that the model used; `prefetch` where the user's own message loaded tools. */
  tool: string;
  /** When it began, in milliseconds since 1970. */
  startTime: number;
  /** How long it took, in milliseconds. */
  duration: number;
  /**
   * What the event says, in names after OpenTelemetry's conventions for generative AI (`gen_ai.operation.name`, `gen_ai.tool.name`,
   * `gen_ai.tool.type`, `gen_ai.tool.call.id`, `gen_ai.conversation.id`, `error.type`), and `toolsift.…` for what they have
   * no name for: ready for `span.setAttributes`. A reveal is no operation of its own, but something that another one did.
   */
  attributes: Record<string, Attribute>;
}

/** A discovery tool was called and answered. */
export interface SearchEvent extends EventBase {
  type: "search";
  /** The queries, one on each line; null for a discovery tool that takes no query. People's own words: treat them as private. */
  query: string | null;
  /** The ranker of the session's settings; `own` where the host's `rank` chose the tools, `sift+own` where it scored them. */
  ranker: string;
  /** The version of the core, whose rankers change with it. */
  rankerVersion: string;
  /** Why the host's `rank` was not heard, so that the core ranked: it threw, took too long, or returned something else. */
  rankError?: string | undefined;
  /** The tools that it revealed. */
  revealed: string[];
  /** The tools that its answer names, revealed or not: what the model knows of from now on. */
  found: string[];
  /** Tokens of the answer, at four characters each. */
  tokens: number;
}

/** Tools were revealed: by a search, by adding them, by a call that came too early, or ahead of the model's first reply. */
export interface RevealEvent extends EventBase {
  type: "reveal";
  /** The names that the model sees from the next request on. */
  revealed: string[];
  /** Tokens of their definitions, at four characters each. */
  tokens: number;
}

/** A real tool ran. */
export interface DispatchEvent extends EventBase {
  type: "dispatch";
  /** The name under which the host registered it. */
  name: string;
  server: string | null;
  /** Whether it failed: it threw, or its result says so. */
  isError: boolean;
  /** Tokens of the answer, at four characters each. */
  tokens: number;
}

/** A call that was not run: unknown, out of scope, not loaded, or broken. */
export interface RefuseEvent extends EventBase {
  type: "refuse";
  code: ErrorCode;
  message: string;
}

/** The events that `onEvent` receives. */
export type ToolEvent = SearchEvent | RevealEvent | DispatchEvent | RefuseEvent;

type Untold<E> = E extends ToolEvent ? Omit<E, "attributes"> : never;

/** The event with its attributes. */
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
