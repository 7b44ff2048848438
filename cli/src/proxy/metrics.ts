/** Metrics of the proxy in the format of Prometheus. No label has a value that a client chooses. */

import type { ProxyEvent } from "toolsift/proxy";
import { Counter, Histogram } from "../listen/exposition.js";

/** The upper bounds of the histogram of times in the proxy, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

/** The counters since the start of the process. */
export class Metrics {
  readonly #requests = new Counter(
    "toolsift_requests_total",
    "Requests of clients that brought tools, by API, by how they ended, and whether tools were deferred.",
  );
  readonly #upstream = new Counter("toolsift_upstream_requests_total", "Requests to the upstream for them.");
  readonly #full = new Counter("toolsift_tool_tokens_full_total", "Tokens of all tools of these requests.");
  readonly #sent = new Counter("toolsift_tool_tokens_sent_total", "Tokens of the tools that were sent instead.");
  readonly #searches = new Counter("toolsift_searches_total", "Searches of models.");
  readonly #prefetched = new Counter(
    "toolsift_prefetched_tools_total",
    "Tools that users' messages loaded before the model was asked.",
  );
  readonly #problems = new Counter("toolsift_problems_total", "Problems that were logged.");
  readonly #seconds = new Histogram(
    "toolsift_proxy_seconds",
    "Time of a request in the proxy before it asks the upstream.",
    BOUNDS,
  );

  constructor() {
    this.#seconds.begin();
  }

  take(event: ProxyEvent): void {
    if (event.type === "search") this.#searches.add();
    if (event.type === "reveal" && event.step === 0) this.#prefetched.add(event.revealed.length);
    if (event.type === "problem") this.#problems.add();
    if (event.type !== "request") return;
    const { wire, outcome, active, requests, full, sent, ms } = event;
    this.#requests.add(1, { wire, outcome, active: String(active) });
    this.#upstream.add(requests, { wire });
    this.#full.add(full.tokens, { wire });
    this.#sent.add(sent.tokens, { wire });
    this.#seconds.take(ms / 1_000);
  }

  get lines(): string[] {
    const counters = [this.#requests, this.#upstream, this.#full, this.#sent];
    return [...counters, this.#searches, this.#prefetched, this.#problems, this.#seconds].flatMap(({ lines }) => lines);
  }
}
