/** Tool search in front of a model's API, as a Cloudflare Worker: what conversations have found lives in KV. */

import { siftProxy } from "toolsift/proxy";
import { createStorage } from "unstorage";
import cloudflareKV from "unstorage/drivers/cloudflare-kv-binding";

interface Env {
  SESSIONS: unknown;
  /** The base URL of the vendor. */
  UPSTREAM: string;
  ACTIVATION?: "auto" | "on" | "off";
}

let serve: ReturnType<typeof siftProxy> | undefined;

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    serve ??= siftProxy({
      upstream: env.UPSTREAM,
      storage: createStorage({ driver: cloudflareKV({ binding: env.SESSIONS as never }) }),
      sift: { activation: env.ACTIVATION ?? "auto" },
    });
    return serve(request);
  },
};
