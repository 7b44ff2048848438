/** Writes what a gateway does into the log and the figures. */

import type { GatewayEvent } from "toolsift/gateway";
import type { Figures, SearchOutcome } from "../watch/figures.js";
import type { Log } from "./log.js";

/** Tools that were found and not called yet, of which a call counts as the outcome of a search. */
const MOST_FOUND = 1_000;

/** Records the events of a gateway. */
export function recorder(figures: Figures, log: Log | undefined): (event: GatewayEvent) => void {
  // The search that found a tool last, until a call follows it.
  const found = new Map<string, symbol>();
  const states = new Map<string, string>();
  return (event) => {
    switch (event.type) {
      case "list":
        figures.listed(event.fullTokens - event.tokens, event.sentTokens - event.tokens);
        log?.write({ event: "list", tokens: event.tokens });
        return;
      case "search": {
        figures.searched(outcomeOf(event));
        const search = Symbol();
        for (const name of event.found) found.set(name, search);
        while (found.size > MOST_FOUND) found.delete(found.keys().next().value!);
        log?.write({
          event: "search",
          ms: event.ms,
          outcome: event.found.length > 0 ? event.found.slice(0, 5).join(" ") : "nothing",
        });
        return;
      }
      case "call": {
        figures.called(event.server, event.tool, { failed: event.outcome !== "ok", ms: event.ms });
        if (event.outcome !== "ok") figures.error(event.code ?? event.outcome);
        const led = found.get(event.tool) ?? found.get(`${event.server}__${event.tool}`);
        if (led !== undefined) {
          figures.followed();
          for (const [name, search] of found) if (search === led) found.delete(name);
        }
        log?.write({
          event: "call",
          server: event.server,
          tool: event.tool,
          ms: event.ms,
          outcome: event.outcome,
          ...(event.code !== undefined && { detail: event.code }),
        });
        return;
      }
      case "server":
        if (event.state === "down" && states.get(event.server) !== "down") figures.error("server_down");
        states.set(event.server, event.state);
        log?.write({
          event: "server",
          server: event.server,
          outcome: event.state,
          ...(event.error !== undefined && { detail: event.error }),
        });
        return;
      case "words":
        log?.write({ event: "words", server: event.server, outcome: `${event.words.written} written` });
    }
  };
}

/** How a search ended. */
export function outcomeOf({ shown, found }: { shown: readonly string[]; found: readonly string[] }): SearchOutcome {
  return shown.length > 0 ? "found" : found.length > 0 ? "doubtful" : "empty";
}
