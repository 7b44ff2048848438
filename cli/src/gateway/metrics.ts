/** Metrics of a gateway in the format of Prometheus. Labels have values from the configuration, never from a client. */

import type { Gateway, GatewayEvent } from "toolsift/gateway";
import { Counter, gauge, Histogram } from "../listen/exposition.js";
import { outcomeOf } from "./record.js";

/** The upper bounds of the histogram of call times, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const STATES = ["idle", "starting", "running", "down"] as const;

/** The counters since the start of the process. */
export class Metrics {
  readonly #calls = new Counter("toolsift_gateway_calls_total", "Calls of tools, by server and by how they ended.");
  readonly #seconds = new Histogram("toolsift_gateway_call_seconds", "Time of calls, by server.", BOUNDS);
  readonly #searches = new Counter("toolsift_gateway_searches_total", "Searches of models, by what they found.");
  readonly #problems = new Counter("toolsift_gateway_problems_total", "Problems reported on standard error.");

  take(event: GatewayEvent): void {
    if (event.type === "search") this.#searches.add(1, { outcome: outcomeOf(event) });
    if (event.type !== "call") return;
    const { server, outcome, ms } = event;
    this.#calls.add(1, { server, outcome });
    if (outcome !== "refused") this.#seconds.take(ms / 1_000, { server });
  }

  problem(): void {
    this.#problems.add();
  }

  of(open: Pick<Gateway, "status" | "sessions">): string[] {
    const servers = open.status();
    const states = servers.flatMap(({ name: server, state: now }) =>
      STATES.map((state) => [{ server, state }, state === now ? 1 : 0] as const),
    );
    const tools = servers.map(({ name: server, tools }) => [{ server }, tools] as const);
    const waiting = servers.map(({ name: server, quarantined }) => [{ server }, quarantined.length] as const);
    return [
      ...[this.#calls, this.#seconds, this.#searches, this.#problems].flatMap(({ lines }) => lines),
      ...gauge("toolsift_gateway_server_state", "State of each server: 1 for its state, 0 for the others.", states),
      ...gauge("toolsift_gateway_server_tools", "Tools of each server that can be found.", tools),
      ...gauge("toolsift_gateway_server_quarantined_tools", "Tools of each server that wait for approval.", waiting),
      ...gauge("toolsift_gateway_sessions", "Open sessions of clients with the MCP protocol that has initialize.", [
        [{}, open.sessions()],
      ]),
    ];
  }
}
