/** Records the events of a gateway in its log and in its usage counters. */

import type { GatewayEvent } from "toolsift/gateway";
import type { Figures, SearchOutcome } from "./figures.js";
import type { Log } from "./log.js";

/** The most found tools that are remembered, to count which searches lead to a call. */
const MOST_FOUND = 1_000;

/**
 * Returns a listener that records the events of a gateway.
 *
 * @param values whether the log contains the queries of searches
 */
export function recorder(figures: Figures, log: Log | undefined, values = false): (event: GatewayEvent) => void {
  // For each found tool, the last search that found it. A call of one of its tools removes the search.
  const found = new Map<string, symbol>();
  const states = new Map<string, string>();
  return (event) => {
    switch (event.type) {
      case "list": {
        const { tokens, fullTokens } = event;
        figures.add({ lists: 1, tokensSaved: fullTokens - tokens });
        log?.({ event: "list", tokens });
        return;
      }
      case "search": {
        figures.add({ searches: { [outcomeOf(event)]: 1 } });
        const search = Symbol();
        for (const name of event.found) found.set(name, search);
        while (found.size > MOST_FOUND) found.delete(found.keys().next().value!);
        const outcome = event.found.slice(0, 5).join(" ") || "nothing";
        log?.({ event: "search", ms: event.ms, outcome, ...(values && { query: event.query }) });
        return;
      }
      case "call": {
        const { server, tool, ms, outcome, code } = event;
        const failed = outcome === "ok" ? 0 : 1;
        figures.add({ tools: [{ server, tool, calls: 1, failed, ms }] });
        if (failed) figures.add({ errors: [{ kind: code ?? outcome, count: 1 }] });
        const led = found.get(tool) ?? found.get(`${server}__${tool}`);
        if (led !== undefined) {
          figures.add({ searches: { followed: 1 } });
          for (const [name, search] of found) if (search === led) found.delete(name);
        }
        log?.({ event: "call", server, tool, ms, outcome, detail: code });
        return;
      }
      case "server": {
        const { server, state, error } = event;
        if (state === "down" && states.get(server) !== "down") figures.add({ errors: [{ kind: "server_down", count: 1 }] });
        states.set(server, state);
        const isSettled = error !== undefined || state === "running";
        if (isSettled) figures.add({ servers: [{ name: server, error: error ?? "", at: new Date().toISOString() }] });
        log?.({ event: "server", server, outcome: state, detail: error });
        return;
      }
      case "words":
        log?.({ event: "words", server: event.server, outcome: `${event.words.written} written` });
    }
  };
}

/** Returns the result of a search. */
export function outcomeOf({ shown, found }: { shown: readonly string[]; found: readonly string[] }): SearchOutcome {
  return shown.length > 0 ? "found" : found.length > 0 ? "doubtful" : "empty";
}
