/** A `fetch` that signs in: it sends the token to its server only, and renews a refused token and retries once. */

import type { FetchLike } from "@modelcontextprotocol/client";
import type { SignIn } from "./sign-in.js";

/**
 * Wraps a `fetch` so that it signs in to one server.
 *
 * @param origin the server's origin; no other origin gets the token
 */
export function signedFetch(signIn: SignIn, origin: string, next: FetchLike): FetchLike {
  return async (input, init) => {
    const url = new URL(input);
    if (url.origin !== origin) return next(url, init);
    let used = await signIn.token();
    let response = await next(url, withToken(init, used));
    if (response.status === 401) {
      await dropped(response);
      await signIn.renew(used, response);
      used = await signIn.token();
      response = await next(url, withToken(init, used));
    }
    if (response.status === 403) {
      if (await signIn.widen(used, response)) {
        await dropped(response);
        response = await next(url, withToken(init, await signIn.token()));
      }
    }
    return response;
  };
}

/** Drops the unread body of a refusal. */
const dropped = async ({ body }: Response): Promise<void> => body?.cancel().catch(() => {});

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}
