/** The service in Deno, with sessions in Deno's own KV. */

import { createStorage } from "unstorage";
import denoKV from "unstorage/drivers/deno-kv";
import { service } from "./service.ts";

const path = Deno.env.get("KV_PATH");
const serve = service({
  index: await Deno.readFile(new URL("catalog.index", import.meta.url)),
  storage: createStorage({ driver: denoKV({ path }) }),
  token: Deno.env.get("TOKEN"),
  origin: Deno.env.get("ORIGIN"),
});

Deno.serve({ port: Number(Deno.env.get("PORT") ?? 8787) }, serve);
