/** The data of one client request that is in progress, and the headers of its answer. */

import type { Decided } from "../loop/rounds.js";
import type { Exchange } from "./exchange.js";
import { costHeaders, downwards } from "./headers.js";
import type { ProxySettings } from "./options.js";
import type { Ended } from "./states.js";
import type { Chain, Wire, WireRequest } from "./wire.js";

/** The parts of a request that whole and streamed replies share. */
export interface Running {
  wire: Wire;
  request: WireRequest;
  exchange: Exchange;
  settings: ProxySettings;
  signal: AbortSignal;
  /** True if the request continues a reply whose state was lost. */
  isLost: boolean;
  /** Sends one body to the upstream. */
  send(body: string): Promise<Response>;
  /** Gets a reply that the upstream stores. */
  kept(id: string): Promise<Response>;
  /** Called once, when the reply for the client is complete. */
  done(ended: Omit<Ended, "revealed">): Promise<void>;
  /** Called once, when the request ends in any way. */
  end(outcome: "done" | "upstream_error" | "failed" | "aborted"): void;
}

/** Returns the upstream's answer for the client: with its own or a new body, and with the request's cost in headers. */
export function answered({ exchange }: Running, response: Response, body?: string | ReadableStream<Uint8Array>): Response {
  return downwards(response, body, costHeaders(exchange.costs));
}

/**
 * Returns the state that the client does not know of a reply that the vendor stores.
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
