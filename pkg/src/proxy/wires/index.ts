/** The vendors' APIs that the proxy supports. */

import type { Route, Wire } from "../wire.js";
import { anthropic } from "./anthropic.js";
import { google } from "./google.js";
import { openaiChat } from "./openai-chat.js";
import { openaiResponses } from "./openai-responses.js";

const WIRES: readonly Wire[] = [openaiChat, openaiResponses, anthropic, google];

/** Returns the API of a path, and the data in the path; undefined for a path that is passed on unchanged. */
export function wireOf(path: string, query: URLSearchParams): { wire: Wire; route: Route } | undefined {
  for (const wire of WIRES) {
    const route = wire.route(path, query);
    if (route !== undefined) return { wire, route };
  }
  return undefined;
}
