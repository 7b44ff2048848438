/** Fits requests into the number of tools that a vendor takes: the least recently used revealed tools are evicted. */

import { whole } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { type Shape, wholeOf } from "../base/shape.js";
import type { Session } from "../index.js";

/** Options of every adapter whose vendor has a limit, or may have one. */
export interface MaxTools {
  /**
   * Tools that the vendor takes in one request, your own included. Where there are more, the least recently used revealed
   * tools are evicted before the request is sent. Default: 128 for OpenAI and 512 for Gemini, as these have it.
   */
  maxTools?: number | undefined;
}

const MOST_TOOLS = 100_000;

export const MAX_TOOLS: Shape<MaxTools> = { maxTools: wholeOf(1, MOST_TOOLS) };

/** A vendor's bound. */
export interface ToolLimit {
  vendor: string;
  most: number;
}

/** The limits that the vendors' documentation and error messages state. */
export const LIMITS = {
  openai: { vendor: "OpenAI", most: 128 },
  google: { vendor: "the Gemini API", most: 512 },
  /** Anthropic bounds deferred tools only. */
  anthropicDeferred: { vendor: "the Messages API", most: 10_000 },
} as const satisfies Record<string, ToolLimit>;

/**
 * The limit of a model's vendor: the host's value, or else the one that is known for the vendor's name.
 *
 * @param provider what a framework calls the vendor, as in `openai.chat`, `google.generative-ai` or `openai/gpt-5.4`
 * @throws ToolSiftError `option_invalid`, `limit_out_of_range`
 */
export function limitOf(provider: unknown, { maxTools }: MaxTools = {}): ToolLimit | undefined {
  if (maxTools !== undefined) return { vendor: "the vendor", most: whole("maxTools", maxTools, 1, MOST_TOOLS) };
  const name = String(provider ?? "").toLowerCase();
  // Other vendors' models are sold on these platforms too.
  if (/anthropic|claude|maas|xai/.test(name)) return undefined;
  if (/^(azure|openai)\b|^azure_openai/.test(name)) return LIMITS.openai;
  return /^(google|vertex)/.test(name) ? LIMITS.google : undefined;
}

/** The vendor of a model of AI SDK. A model of a gateway is known by its name alone, as in `openai/gpt-5.4`. */
export function providerOf(model: unknown): unknown {
  if (typeof model === "string") return model;
  const { provider, modelId } = Object(model) as { provider?: unknown; modelId?: unknown };
  return provider === "gateway" ? modelId : provider;
}

/**
 * Assembles the session's tools of a request, at most as many as the vendor accepts beside the host's own tools. If there
 * are more, the session evicts revealed tools, the least recently used first; the model can find them again.
 *
 * @param own the number of the host's own tools in the request
 * @param limit the vendor's, if it has one
 * @throws ToolSiftError `limit_out_of_range` where the tools that are always there are too many; nothing is evicted then
 */
export function fitted<T>(
  tools: readonly T[],
  own: number,
  session: Session,
  limit: ToolLimit | undefined,
  nameOf: (tool: T) => string | undefined,
): T[] {
  const all = own + tools.length;
  if (limit === undefined || all <= limit.most) return [...tools];
  const { vendor, most } = limit;
  const sent = new Set(tools.map(nameOf));
  // With stubs a tool is sent whether or not it is revealed.
  const isAppended = !/stubs|full/.test(session.settings.disclosure);
  const revealed = isAppended
    ? [...session.named(session.revealed).values()].filter(({ state }) => state === "revealed")
    : [];
  const sentAs = new Map(revealed.map(({ name, googleName }) => [name, sent.has(name) ? name : googleName]));
  const evictable = [...sentAs.values()].filter((name) => sent.has(name)).length;
  if (all - evictable > most) {
    const parts = `${own} of your own, ${tools.length - evictable} that are always there and ${evictable} revealed`;
    const ways = "hold more of them back (activation, alwaysAvailable, preDiscovered), narrow the scope, or set maxTools";
    const message = `${all} tools, ${parts}; ${vendor} takes ${most} at most: ${ways}`;
    throw new ToolSiftError("limit_out_of_range", message);
  }
  const gone = new Set<string | undefined>();
  // Tools that have left the catalog are evicted first, and free no room.
  for (let over = all - most; over > 0; over = all - gone.size - most) {
    // Skills are evicted too, and are not sent.
    const skills = session.snapshot().revealed.filter(({ skill }) => skill).length;
    const evicted = session.evict({ tools: session.revealed.length + skills - over });
    if (evicted.length === 0) break;
    for (const name of evicted) if (sentAs.has(name)) gone.add(sentAs.get(name));
  }
  return tools.filter((tool) => !gone.has(nameOf(tool)));
}
