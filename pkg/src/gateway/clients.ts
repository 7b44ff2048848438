/** The connected clients. */

import type { ClientCapabilities } from "@modelcontextprotocol/client";
import type { Session } from "../core/session.js";
import type { ListKind } from "../upstream/follow.js";
import type { View } from "./catalog.js";
import type { Outbox } from "./outbox.js";
import type { ServerRequest } from "./upstream.js";

const EVERYTHING: ClientCapabilities = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

/** A connected client. */
export interface Peer {
  /** The connection's id in events. */
  readonly id: string;
  readonly era: "legacy" | "modern";
  readonly view: View;
  /** The client's own session: it stores searches and failures. */
  readonly session: Session;
  /** The queue for notices, which are dropped if the client does not read them. */
  readonly outbox: Outbox;
  readonly capabilities: Record<string, unknown>;
  /** Asks the client a question outside of a call. */
  push(request: ServerRequest, signal: AbortSignal): Promise<unknown>;
  /** Sends the client a notice that a list has changed, if the client has read the list and its content is now different. */
  changed(kind: ListKind): void;
  updated(uri: string): void;
  log(params: { level: string; logger: string; data: unknown }): void;
  notify(method: string, params?: object): void;
}

export class Clients {
  readonly peers = new Set<Peer>();
  /** True if any client may send single requests without a connection. */
  isPublic = false;
  /** The lowest log level that a client of the older protocol (with `initialize`) has requested. */
  level: string | undefined;

  capabilities(): ClientCapabilities {
    const known = [...this.peers].map(({ capabilities }) => capabilities);
    if (this.isPublic || known.length === 0) return EVERYTHING;
    const has = (key: string) => known.some((capabilities) => capabilities[key] !== undefined);
    return Object.fromEntries(Object.entries(EVERYTHING).filter(([key]) => has(key)));
  }

  /** The client for questions without a call: the only connected one of the older protocol; otherwise undefined. */
  get only(): Peer | undefined {
    const legacy = [...this.peers].filter(({ era }) => era === "legacy");
    return legacy.length === 1 && !this.isPublic ? legacy[0] : undefined;
  }
}
