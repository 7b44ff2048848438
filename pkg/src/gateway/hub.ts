/** The gateway without its transports: servers, clients, and the messages between them. */

import { missing } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { ToolSift } from "../core/sift.js";
import type { Scope } from "../types/index.js";
import { Calls } from "./calls.js";
import { Forwarder } from "./forwarder.js";
import type { View } from "./catalog.js";
import type { ListKind } from "../upstream/follow.js";
import { Clients, type Peer } from "./clients.js";
import { Lists } from "./lists.js";
import { Notices } from "./notices.js";
import type { GatewaySettings } from "./options.js";
import { Servers } from "./servers.js";

/** All parts of a gateway. */
export class Hub {
  readonly clients = new Clients();
  readonly servers: Servers;
  readonly lists: Lists;
  readonly forwarder: Forwarder;
  readonly calls: Calls;
  readonly notices: Notices;

  /** @param publish sends a change to clients of the newer protocol (without `initialize`), which listen on a stream */
  constructor(
    sift: ToolSift,
    readonly settings: GatewaySettings,
    version: string,
    publish: (change: ListKind | { uri: string }) => void,
  ) {
    this.servers = new Servers(sift, settings, version, {
      capabilities: () => this.clients.capabilities(),
      ask: (upstream, request, signal) => this.forwarder.ask(upstream, request, signal),
      notified: (upstream, notification) => this.notices.notified(upstream, notification),
      changed: (kind) => {
        for (const peer of this.clients.peers) peer.changed(kind);
        publish(kind);
      },
      started: (upstream) => void this.notices.started(upstream),
    });
    this.lists = new Lists(this.servers);
    this.forwarder = new Forwarder(this.servers, this.clients);
    this.calls = new Calls(this.servers, this.lists, this.forwarder);
    this.notices = new Notices(this.servers, this.clients, this.forwarder, publish);
  }

  /**
   * Follows the resources that the client may see, for a stream of the newer protocol. Returns the functions that end it.
   */
  async follow(request: Request, uris: readonly string[]): Promise<Map<string, () => void>> {
    const view = this.view(request);
    const followed = new Map<string, () => void>();
    // If one subscription fails, the others continue. Callers that need the error call `subscribe`.
    for (const uri of uris)
      await this.notices.subscribe(view, uri).then(
        (end) => followed.set(uri, end),
        () => {},
      );
    return followed;
  }

  view(request: Request | undefined): View {
    const { catalog } = this.servers;
    return catalog.view(this.#scope(request));
  }

  /** Returns a key for the scope of a request. Clients with the same key see the same tools. */
  scopeKey(request: Request): string {
    return JSON.stringify(this.#scope(request));
  }

  /** Adds a client with a lasting connection. */
  opened(peer: Peer): void {
    this.clients.peers.add(peer);
    // In stateless mode all work ends with the request, so the servers are not started here.
    if (!this.settings.stateless) void this.servers.ready();
  }

  closed(peer: Peer): void {
    this.clients.peers.delete(peer);
    this.forwarder.drop(peer);
  }

  async close(): Promise<void> {
    this.forwarder.close();
    await this.servers.close();
  }

  #scope(request: Request | undefined): Scope | "all" {
    const { scope } = this.settings;
    if (typeof scope !== "function") return scope;
    const inForce: unknown = scope(request);
    if (inForce === undefined || inForce === null) throw missing("what options.scope returned", inForce);
    if (inForce instanceof Promise) {
      throw new ToolSiftError("option_invalid", "options.scope returned a promise; it must answer at once");
    }
    return inForce as Scope | "all";
  }
}
