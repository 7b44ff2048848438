/** Finds the reason why a URL could not be reached: `fetch failed` is no reason. */

import { reasonOf } from "../base/values.js";

/** The maximum number of causes that are followed, because they may be cyclic. */
const CAUSES = 8;
/** Matches the SDK's text before the reason of its first request. */
const OF_PROBE = /^Version negotiation (?:probe )?failed: /;
/** Matches codes of the system and of the TLS library, such as `ECONNREFUSED`; the SDK's own codes are no cause. */
const OF_SYSTEM = /^(?:E[A-Z0-9]+|(?:ERR|UND_ERR|CERT|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME)_[A-Z0-9_]+)$/;

/** Returns a reason with its cause: the HTTP status, a code of the system or TLS library, or the last cause's text. */
export function withCause(reason: string, error: unknown, status?: number): string {
  const said = reason.replace(OF_PROBE, "");
  const cause = status !== undefined && status >= 300 ? `HTTP ${status}` : causeOf(error);
  return cause === undefined || said.includes(cause) ? said : `${said} (${cause})`;
}

function causeOf(error: unknown): string | undefined {
  let [code, text]: (string | undefined)[] = [];
  let cause = error;
  for (let depth = 0; depth < CAUSES && typeof cause === "object" && cause !== null; depth++) {
    const { code: own, cause: next } = cause as { code?: unknown; cause?: unknown };
    if (typeof own === "string" && OF_SYSTEM.test(own)) code = own;
    if (next !== undefined) text = reasonOf(next).slice(0, 200);
    cause = next;
  }
  return code ?? text;
}

/** Returns the HTTP status of an SDK's error. A JSON-RPC error has none: its code is negative, its data the server's. */
export function statusOf(error: unknown): number | undefined {
  const { status, code, data } = Object(error) as { status?: unknown; code?: unknown; data?: { status?: unknown } };
  const found = status ?? (typeof code === "number" ? code : data?.status);
  return typeof found === "number" && found > 0 ? found : undefined;
}
