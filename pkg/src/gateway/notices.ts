/** Passes notifications between servers and clients: logs, resource updates, log levels, roots. */

import { type Notification, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { Forwarder } from "./forwarder.js";
import { seesWhole, type View } from "./catalog.js";
import type { Clients } from "./clients.js";
import { foreign } from "../trust/foreign.js";
import type { Servers } from "./servers.js";
import type { Upstream } from "./upstream.js";

const MOST_FOLLOWED = 10_000;

/** The maximum length of a logger's name for clients, in characters. */
const LOGGER_CHARS = 100;

interface Followed {
  upstream: Upstream;
  /** The resource's URI at its server. */
  uri: string;
  count: number;
  begun: Promise<void>;
  isHeld: boolean;
  stream?: { close(): Promise<void> };
}

/** Passes on the messages between servers and clients that are not answers. */
export class Notices {
  readonly #followed = new Map<string, Followed>();

  /** @param publish sends an update to clients that listen on streams of their own */
  constructor(
    private readonly servers: Servers,
    private readonly clients: Clients,
    private readonly forwarder: Forwarder,
    private readonly publish: (change: { uri: string }) => void,
  ) {}

  notified(upstream: Upstream, { method, params = {} }: Notification): void {
    if (method === "notifications/message") return this.#logged(upstream, params);
    if (method === "notifications/resources/updated") return this.#updated(upstream, params["uri"]);
    if (method !== "notifications/elicitation/complete") return;
    for (const peer of this.clients.peers) {
      if (peer.era === "legacy" && seesWhole(peer.view, upstream.name)) peer.notify(method, params);
    }
  }

  /** Sends the log level and the subscriptions to a server that has started again. */
  async started(upstream: Upstream): Promise<void> {
    await this.#applyLevel(upstream);
    for (const one of this.#followed.values()) if (one.upstream === upstream) await this.#follow(one).catch(() => {});
  }

  async setLevel(level: string): Promise<void> {
    this.clients.level = level;
    await Promise.all(this.servers.upstreams.map((upstream) => this.#applyLevel(upstream)));
  }

  rootsChanged(): void {
    const notification = { method: "notifications/roots/list_changed" };
    for (const { running } of this.servers.upstreams) running?.notification(notification).catch(() => {});
  }

  /**
   * Subscribes to a resource at its server.
   *
   * @returns a function that ends the subscription: without a follower, the server may be stopped
   * @throws ProtocolError if no server has the resource; the server's errors
   */
  async subscribe(view: View, uri: string): Promise<() => void> {
    await this.servers.ready();
    const owners = this.servers.directory.owners(uri);
    const owner = owners.find(({ upstream }) => seesWhole(view, upstream.name));
    if (owner === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri.slice(0, 200)}`);
    const key = JSON.stringify([owner.upstream.name, owner.uri]);
    const known = this.#followed.get(key);
    const followed = known?.upstream === owner.upstream ? known : this.#begin(key, owner);
    followed.count++;
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#release(key, followed);
      isReleased = true;
    };
    try {
      await followed.begun;
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #begin(key: string, { upstream, uri }: { upstream: Upstream; uri: string }): Followed {
    if (this.#followed.size >= MOST_FOLLOWED) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${MOST_FOLLOWED} resources are followed; no more can be`);
    }
    const followed: Followed = { upstream, uri, count: 0, begun: Promise.resolve(), isHeld: false };
    followed.begun = upstream.use(async () => {
      await this.#follow(followed);
      upstream.hold();
      followed.isHeld = true;
    });
    this.#followed.set(key, followed);
    return followed;
  }

  #release(key: string, followed: Followed): void {
    if (--followed.count > 0) return;
    if (this.#followed.get(key) === followed) this.#followed.delete(key);
    if (!followed.isHeld) return;
    const { upstream, uri, stream } = followed;
    followed.isHeld = false;
    void (stream ? stream.close() : upstream.running?.unsubscribeResource({ uri }))?.catch(() => {});
    upstream.release();
  }

  async #follow(followed: Followed): Promise<void> {
    const { upstream, uri } = followed;
    const { running } = upstream;
    if (running?.getProtocolEra() === "modern") followed.stream = await running.listen({ resourceSubscriptions: [uri] });
    else await running?.subscribeResource({ uri });
  }

  #updated(upstream: Upstream, given: unknown): void {
    if (typeof given !== "string") return;
    const uri = this.servers.directory.outward(upstream, given);
    for (const peer of this.clients.peers) if (seesWhole(peer.view, upstream.name)) peer.updated(uri);
    this.publish({ uri });
  }

  /** Passes on a server's log: to the client of the call in progress, or outside of calls to all connected clients. */
  #logged(upstream: Upstream, params: Record<string, unknown>): void {
    const { level, logger: own, data } = params;
    if (typeof level !== "string") return;
    const logger =
      typeof own === "string" && own !== "" ? `${upstream.name}/${foreign(own, LOGGER_CHARS, "line")}` : upstream.name;
    const calls = this.forwarder.of(upstream);
    const [call] = calls;
    if (call !== undefined) {
      const isCertain = new Set(calls.map(({ owner }) => owner)).size === 1;
      if (isCertain) call.outbox.send(data, () => call.context.mcpReq.log(level as never, data, logger));
      return;
    }
    for (const peer of this.clients.peers) if (seesWhole(peer.view, upstream.name)) peer.log({ level, logger, data });
  }

  async #applyLevel({ running }: Upstream): Promise<void> {
    const { level } = this.clients;
    if (running === undefined || level === undefined) return;
    if (running.getProtocolEra() !== "legacy" || running.getServerCapabilities()?.logging === undefined) return;
    await running.setLoggingLevel(level as never).catch(() => {});
  }
}
