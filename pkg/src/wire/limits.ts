/** Limits requests to the number of tools that a vendor accepts: the least recently used loaded tools are evicted. */

import { whole } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { type Shape, wholeOf } from "../base/shape.js";
import type { Session } from "../index.js";

/** The option of every adapter whose vendor has a limit, or may have one. */
export interface MaxTools {
  /**
   * The maximum number of tools in one request, your own included. If there are more, the least recently used loaded tools
   * are evicted before the request is sent. Default: the vendors' limits, 128 for OpenAI and 512 for Gemini.
   */
  maxTools?: number | undefined;
}

const MOST_TOOLS = 100_000;

export const MAX_TOOLS: Shape<MaxTools> = { maxTools: wholeOf(1, MOST_TOOLS) };

/** A vendor's limit. */
export interface ToolLimit {
  vendor: string;
  most: number;
}

/** The limits in the vendors' documentation and error messages. */
export const LIMITS = {
  openai: { vendor: "OpenAI", most: 128 },
  google: { vendor: "the Gemini API", most: 512 },
  /** Anthropic limits only the number of deferred tools. */
  anthropicDeferred: { vendor: "the Messages API", most: 10_000 },
} as const satisfies Record<string, ToolLimit>;

/**
 * Returns the limit of a model's vendor: the option's value, or else the known limit of the vendor.
 *
 * @param provider the framework's name of the vendor, such as `openai.chat`, `google.generative-ai` or `openai/gpt-5.4`
 * @throws ToolSiftError `option_invalid`, `limit_out_of_range`
 */
export function limitOf(provider: unknown, { maxTools }: MaxTools = {}): ToolLimit | undefined {
  if (maxTools !== undefined) return { vendor: "the vendor", most: whole("maxTools", maxTools, 1, MOST_TOOLS) };
  const name = String(provider ?? "").toLowerCase();
  // These platforms also sell models of other vendors.
  if (/anthropic|claude|maas|xai/.test(name)) return undefined;
  if (/^(azure|openai)\b|^azure_openai/.test(name)) return LIMITS.openai;
  return /^(google|vertex)/.test(name) ? LIMITS.google : undefined;
}

/** Returns the vendor of a model of AI SDK. For a gateway's model it is part of the model's name, as in `openai/gpt-5.4`. */
export function providerOf(model: unknown): unknown {
  if (typeof model === "string") return model;
  const { provider, modelId } = Object(model) as { provider?: unknown; modelId?: unknown };
  return provider === "gateway" ? modelId : provider;
}

/**
 * Returns the session's tools of a request, at most as many as the vendor accepts in addition to your own tools. If there
 * are more, the session evicts loaded tools, the least recently used first; the model can find them again.
 *
 * @param own the number of your own tools in the request
 * @param limit the vendor's limit, if it has one
 * @throws ToolSiftError `limit_out_of_range` if the tools that are always sent are too many; nothing is evicted then
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
  // With stubs, a tool is sent whether or not it is loaded.
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
  // Tools that have left the catalog are evicted first, but free no place in the request.
  for (let over = all - most; over > 0; over = all - gone.size - most) {
    // Skills are evicted too, but are not in the tool list.
    const skills = session.snapshot().revealed.filter(({ skill }) => skill).length;
    const evicted = session.evict({ tools: session.revealed.length + skills - over });
    if (evicted.length === 0) break;
    for (const name of evicted) if (sentAs.has(name)) gone.add(sentAs.get(name));
  }
  return tools.filter((tool) => !gone.has(nameOf(tool)));
}
