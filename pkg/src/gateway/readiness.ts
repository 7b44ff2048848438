/** Waits until the servers have listed their tools, each for a bounded time in all. */

import { within } from "../base/wait.js";
import { isForFewer } from "./definition-cache.js";
import type { Upstream, UpstreamHost } from "./upstream.js";

/** How long lists and searches wait in all for a server that was never listed before. What comes later is announced. */
const PATIENCE_MS = 5_000;

/** How servers that are not known yet are waited for. */
export interface Waiting {
  /** Milliseconds in all, from when somebody first waited for a server. */
  ms?: number;
  signal?: AbortSignal;
  /** Whether the servers that have listed their tools are enough. */
  isEnough?: () => boolean;
}

/** The servers that are waited for. */
export interface Awaited extends Pick<UpstreamHost, "capabilities" | "isStateless"> {
  readonly upstreams: readonly Upstream[];
  /** Whether the tools of a server are in the catalog. */
  isTaken(upstream: Upstream): boolean;
}

/** Remembers since when each server is waited for. */
export class Readiness {
  readonly #servers: Awaited;
  /** When the wait for each server began. It restarts only when clients with other capabilities come. */
  readonly #awaited = new Map<Upstream, number>();
  #awaitedFor = "";

  constructor(servers: Awaited) {
    this.#servers = servers;
  }

  /**
   * Waits until every server is known, from this process or an earlier one, or has failed; but not for long. A server that
   * was listed for clients which can do less than those of now is listed again.
   *
   * @returns false where the wait ended because `isEnough` said so
   * @throws what the signal was aborted with
   */
  async wait({ ms = PATIENCE_MS, signal, isEnough = () => false }: Waiting = {}): Promise<boolean> {
    const capabilities = Object.keys(this.#servers.capabilities());
    if (capabilities.join() !== this.#awaitedFor) this.#awaited.clear();
    this.#awaitedFor = capabilities.join();
    const unknown = this.#servers.upstreams.filter((upstream) => {
      const { definitions, running } = upstream;
      if (definitions === undefined || !this.#servers.isTaken(upstream)) return true;
      return running === undefined && isForFewer(definitions, capabilities);
    });
    // Where nothing may outlive the request that began it, what is begun is waited for.
    if (this.#servers.isStateless && isEnough()) return false;
    const isDone = () => !this.#servers.isStateless && isEnough();
    const now = performance.now();
    const attempts = unknown.map((upstream) => [upstream, upstream.learned().catch(() => {})] as const);
    const awaited = attempts.flatMap(([upstream, attempt]) => {
      const since = this.#servers.isStateless ? now : (this.#awaited.get(upstream) ?? now);
      this.#awaited.set(upstream, since);
      const left = since + ms - now;
      return left > 0 ? { attempt, left } : [];
    });
    if (isDone()) return false;
    if (awaited.length === 0) return true;
    const known = new Promise<void>((resolve) => {
      let missing = awaited.length;
      for (const { attempt } of awaited) void attempt.then(() => (--missing === 0 || isDone()) && resolve());
    });
    const longest = Math.max(...awaited.map(({ left }) => left));
    await within({ what: "listing the servers", ms: longest, signal }, () => known).catch(() => signal?.throwIfAborted());
    return true;
  }
}
