/** Methods of the host's clients. A client may change after it was checked, so that each method is read once for a call. */

import { kind } from "../../boundary.js";
import { ToolSiftError } from "../../errors.js";

/**
 * A method of a client as it is now, on the client. What it throws is the client's own.
 *
 * @param what the client, for the error
 * @throws ToolSiftError `option_invalid` for what is no function
 */
export function methodOf<C, K extends keyof C & string>(what: string, client: C, name: K): C[K] {
  const method: unknown = Object(client)[name];
  if (typeof method === "function") return bound(method, client) as C[K];
  throw new ToolSiftError("option_invalid", `${what}.${name} is ${kind(method)}; it must be a function`);
}

/** A function of the host's may have a `call` and a `bind` of its own, or none. */
function bound(method: Function, client: unknown): (...given: unknown[]) => unknown {
  return (...given) => Reflect.apply(method, client, given) as unknown;
}
