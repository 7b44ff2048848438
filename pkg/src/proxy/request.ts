/** One request of a client on its way to the upstream, and back. */

import type { Clock } from "./clock.js";
import type { Exchange } from "./exchange.js";
import { costHeaders, downwards } from "./headers.js";
import type { ProxySettings } from "./options.js";
import type { Ended } from "./states.js";
import type { Decided } from "../loop/rounds.js";
import type { WireRequest, Chain, Wire } from "./wire.js";

/** The parts of a request that whole and streamed replies share. */
export interface Running {
  wire: Wire;
  request: WireRequest;
  exchange: Exchange;
  settings: ProxySettings;
  clock: Clock;
  signal: AbortSignal;
  /** Whether the request goes on from a reply of which nothing is remembered. */
  isLost: boolean;
  /** Sends one body to the upstream. */
  send(body: string): Promise<Response>;
  /** Asks the upstream for a reply that it keeps. */
  kept(id: string): Promise<Response>;
  /** Is called once, when the reply for the client is whole. */
  done(ended: Omit<Ended, "revealed">): Promise<void>;
  /** Is called once, when the request ends in any way. */
  end(outcome: "done" | "upstream_error" | "failed" | "aborted"): void;
}

/** An answer of the upstream as the client gets it: unchanged, or with a body of ours, and with what the request costs. */
export function answered(
  { exchange, clock }: Running,
  response: Response,
  body?: string | ReadableStream<Uint8Array>,
): Response {
  return downwards(response, body, costHeaders(exchange, clock));
}

/**
 * What the client does not know of a reply that the vendor keeps.
 *
 * @param id the id that the client got
 * @param last the vendor's id of the last round
 */
export function chainOf(
  { wire }: Running,
  { answers }: Decided,
  id: string | undefined,
  last: string | undefined,
): Chain | undefined {
  if (last === undefined) return undefined;
  const pending = wire.api.answersOf(answers).map((one) => JSON.stringify(one));
  if (id === last && pending.length === 0) return undefined;
  return { ...(id === last ? {} : { alias: last }), ...(pending.length === 0 ? {} : { pending }) };
}
