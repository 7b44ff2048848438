/** Counts what the proxy does, as Prometheus reads it. No label holds anything that a client chooses. */

import type { ProxyEvent } from "toolsift/proxy";

/** Upper bounds of the times in the proxy itself, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

const HELP: Record<string, string> = {
  toolsift_requests_total:
    "Requests of clients that brought tools, by API, by how they ended, and whether tools were held back.",
  toolsift_upstream_requests_total: "Requests to the upstream for them.",
  toolsift_tool_tokens_full_total: "Tokens of all tools of these requests.",
  toolsift_tool_tokens_sent_total: "Tokens of the tools that were sent instead.",
  toolsift_searches_total: "Searches of models.",
  toolsift_prefetched_tools_total: "Tools that users' messages loaded before the model was asked.",
  toolsift_problems_total: "What went wrong and stands in the log.",
};

/** Counters since the start. */
export class Metrics {
  readonly #counts = new Map<string, Map<string, number>>(Object.keys(HELP).map((name) => [name, new Map()]));
  readonly #buckets = BOUNDS.map(() => 0);
  #seconds = 0;
  #times = 0;

  /** Takes what the proxy tells. */
  take(event: ProxyEvent): void {
    if (event.type === "search") this.#add("toolsift_searches_total", "", 1);
    if (event.type === "reveal" && event.step === 0) this.#add("toolsift_prefetched_tools_total", "", event.revealed.length);
    if (event.type === "problem") this.#add("toolsift_problems_total", "", 1);
    if (event.type !== "request") return;
    const { wire, outcome, active, requests, full, sent, ms } = event;
    this.#add("toolsift_requests_total", `{wire="${wire}",outcome="${outcome}",active="${active}"}`, 1);
    this.#add("toolsift_upstream_requests_total", `{wire="${wire}"}`, requests);
    this.#add("toolsift_tool_tokens_full_total", `{wire="${wire}"}`, full.tokens);
    this.#add("toolsift_tool_tokens_sent_total", `{wire="${wire}"}`, sent.tokens);
    for (const [at, bound] of BOUNDS.entries()) if (ms / 1_000 <= bound) this.#buckets[at]! += 1;
    this.#seconds += ms / 1_000;
    this.#times += 1;
  }

  /** The text that Prometheus reads. */
  get text(): string {
    const lines = Object.entries(HELP).flatMap(([name, help]) => {
      const values = [...this.#counts.get(name)!].map(([labels, value]) => `${name}${labels} ${value}`);
      return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...values];
    });
    const name = "toolsift_proxy_seconds";
    const buckets = BOUNDS.map((bound, at) => `${name}_bucket{le="${bound}"} ${this.#buckets[at]}`);
    lines.push(`# HELP ${name} Time of a request in the proxy itself.`, `# TYPE ${name} histogram`, ...buckets);
    lines.push(`${name}_bucket{le="+Inf"} ${this.#times}`, `${name}_sum ${this.#seconds}`, `${name}_count ${this.#times}`);
    return `${lines.join("\n")}\n`;
  }

  #add(name: string, labels: string, value: number): void {
    const counts = this.#counts.get(name)!;
    counts.set(labels, (counts.get(labels) ?? 0) + value);
  }
}
