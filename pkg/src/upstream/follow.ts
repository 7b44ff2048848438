/**
 * Watches for changes of a server's list and for the end of its connection. It listens at the client's transport, so that
 * handlers of your program at the client stay unchanged.
 */

import type { Client } from "@modelcontextprotocol/client";
import type { McpClient } from "../servers/client.js";
import { pause, pauseAfter, wasGood } from "../base/wait.js";

/** The receiver of a client's events. */
export interface Follower {
  changed(): void;
  gone(): void;
}

interface Transport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** A client of the 2026 protocol, whose server sends changes only on a stream that was opened for them. */
type Listening = Partial<Pick<Client, "getProtocolEra" | "getServerCapabilities" | "autoOpenedSubscription" | "listen">>;
type Subscription = Awaited<ReturnType<Client["listen"]>>;

/** The kind of a server's list. */
export type ListKind = "tools" | "prompts" | "resources";

/** Follows a client until the returned function is called. */
export function follow(client: McpClient, kinds: readonly ListKind[], follower: Follower): () => void {
  const transport = client.transport as Transport | null | undefined;
  if (typeof transport !== "object" || transport === null) return () => {};
  const { onmessage, onclose } = transport;
  let active = true;
  const message = (incoming: unknown, extra?: unknown) => {
    const { method } = Object(incoming) as { method?: unknown };
    if (active && kinds.some((kind) => method === `notifications/${kind}/list_changed`)) follower.changed();
    onmessage?.call(transport, incoming, extra);
  };
  const close = () => {
    onclose?.call(transport);
    if (active) follower.gone();
  };
  transport.onmessage = message;
  transport.onclose = close;
  const hangUp = listen(
    client,
    kinds,
    () => follower.changed(),
    () => active,
  );
  return () => {
    active = false;
    // If other code has wrapped this handler, it stays in place and only passes messages on.
    if (transport.onmessage === message) transport.onmessage = onmessage;
    if (transport.onclose === close) transport.onclose = onclose;
    hangUp();
  };
}

/**
 * Opens the stream of changes if the protocol needs one and your program has opened none. Opens it again when it ends.
 *
 * @param changed called when a list may have changed while there was no stream
 * @param isActive checks if the client is still in use
 * @returns a function that closes the stream
 */
function listen(client: object, kinds: readonly ListKind[], changed: () => void, isActive: () => boolean): () => void {
  const listening = client as Listening;
  if (listening.getProtocolEra?.() !== "modern" || listening.listen === undefined) return () => {};
  const capabilities = listening.getServerCapabilities?.() ?? {};
  const announcing = kinds.filter((kind) => capabilities[kind]?.listChanged);
  const filter: Subscription["honoredFilter"] = Object.fromEntries(announcing.map((kind) => [`${kind}ListChanged`, true]));
  const honored = listening.autoOpenedSubscription?.honoredFilter;
  if (announcing.every((kind) => honored?.[`${kind}ListChanged`])) return () => {};
  let open: Subscription | undefined;
  const hangUp = () => void open?.close().catch(() => {});
  const again = async () => {
    for (let failures = 0, first = true; isActive(); first = false) {
      let since = Infinity;
      try {
        open = await listening.listen!(filter);
        if (!isActive()) return hangUp();
        since = performance.now();
        if (!first) changed();
        await open.closed;
      } catch {
        // It is tried again with growing pauses, because the server may be unavailable for a long time.
      }
      failures = wasGood(since) ? 1 : failures + 1;
      await pause(pauseAfter(failures), { idle: true });
    }
  };
  void again();
  return hangUp;
}
