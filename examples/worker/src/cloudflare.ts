/** The service as a Cloudflare Worker: the index comes as an asset, sessions live in KV. */

import { createStorage } from "unstorage";
import cloudflareKV from "unstorage/drivers/cloudflare-kv-binding";
import index from "./catalog.index";
import { service } from "./service.ts";

interface Env {
  SESSIONS: unknown;
  TOKEN?: string;
  ORIGIN?: string;
}

interface Context {
  waitUntil(promise: Promise<unknown>): void;
}

let serve: ReturnType<typeof service> | undefined;

export default {
  fetch(request: Request, env: Env, context: Context): Promise<Response> {
    serve ??= service({
      index,
      storage: createStorage({ driver: cloudflareKV({ binding: env.SESSIONS as never }) }),
      token: env.TOKEN,
      origin: env.ORIGIN,
    });
    const served = serve(request);
    // Who goes away before the answer must not stop the writing of what others wait for.
    context.waitUntil(served);
    return served;
  },
};
