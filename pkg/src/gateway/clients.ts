/** The clients that are connected for longer than one request. */

import type { ClientCapabilities } from "@modelcontextprotocol/client";
import type { Session } from "../core/session.js";
import type { View } from "./catalog.js";
import type { Outbox } from "./outbox.js";
import type { ServerRequest } from "./upstream.js";

/** The lists that a client may follow. */
export type ListKind = "tools" | "prompts" | "resources";

const EVERYTHING: ClientCapabilities = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

/** A connected client, as far as servers and lists concern it. */
export interface Peer {
  /** Names the connection in events. */
  readonly id: string;
  readonly era: "legacy" | "modern";
  readonly view: View;
  /** The client's own conversation with the core: what was searched, and what failed. */
  readonly session: Session;
  /** For notices that a client which does not read may lose. */
  readonly outbox: Outbox;
  readonly capabilities: Record<string, unknown>;
  /** Asks the client outside of a call. */
  push(request: ServerRequest, signal: AbortSignal): Promise<unknown>;
  /** Tells the client that a list has changed, if it has read that list and would now read another. */
  changed(kind: ListKind): void;
  updated(uri: string): void;
  log(params: { level: string; logger: string; data: unknown }): void;
  notify(method: string, params: unknown): void;
}

/** The connected clients. */
export class Clients {
  readonly peers = new Set<Peer>();
  /** Whether requests may come from anybody, each for itself. */
  isPublic = false;
  /** The least severe log that a client of the older protocol has asked for. */
  level: string | undefined;

  capabilities(): ClientCapabilities {
    const known = [...this.peers].map(({ capabilities }) => capabilities);
    if (this.isPublic || known.length === 0) return EVERYTHING;
    const has = (key: string) => known.some((capabilities) => capabilities[key] !== undefined);
    return Object.fromEntries(Object.entries(EVERYTHING).filter(([key]) => has(key)));
  }

  /** The client that a question without a call can only be meant for. */
  get only(): Peer | undefined {
    const legacy = [...this.peers].filter(({ era }) => era === "legacy");
    return legacy.length === 1 && !this.isPublic ? legacy[0] : undefined;
  }
}
