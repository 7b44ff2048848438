/** The service as an edge function of Vercel, with sessions in Upstash's Redis. */

import { createStorage } from "unstorage";
import upstash from "unstorage/drivers/upstash";
import index from "./catalog.index";
import { service } from "./service.ts";

export const config = { runtime: "edge" };

export default service({
  index,
  storage: createStorage({ driver: upstash({}) }),
  token: process.env.TOKEN,
  origin: process.env.ORIGIN,
});
