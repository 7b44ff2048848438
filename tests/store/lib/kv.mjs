/** Cloudflare's KV in Miniflare: the real code of workers, in a process of its own, without network. */

import { Miniflare } from "miniflare";

/** Opens a namespace: `{ binding, close }`. */
export async function openKv() {
  const miniflare = new Miniflare({
    cf: false,
    modules: true,
    script: "export default { fetch: () => new Response() };",
    compatibilityDate: "2025-01-01",
    kvNamespaces: ["SESSIONS"],
  });
  return { binding: await miniflare.getKVNamespace("SESSIONS"), close: () => miniflare.dispose() };
}
