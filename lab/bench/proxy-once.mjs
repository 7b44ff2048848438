/** One run: requests through the proxy in front of an upstream in this process, each timed by the proxy itself. */

import { pathToFileURL } from "node:url";
import { APIS, posted, streamOf, whole, written } from "../../tests/apis/index.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { median } from "../eval/metrics.mjs";

/** Requests of each kind with an unchanged list; the first ones, before everything is compiled, are left out. */
const REQUESTS = 30;
const WARM = 10;

const TEXT = { text: "Done." };
const SEARCH = { calls: [{ name: "search_tools", args: { query: "create an issue with labels" } }] };

/** `{ wires: { chat: { bytes, first, same, streamed, searched } } }`, in milliseconds. */
export default async function once(_, { catalogs }) {
  const { siftFetch } = await import(pathToFileURL(at("pkg", "dist", "proxy.js")).href);
  const definitions = catalogs.flatMap(({ tools }) => tools);
  const wires = {};
  for (const [name, api] of Object.entries(APIS)) wires[name] = await timed(siftFetch, api, definitions);
  return { wires };
}

async function timed(siftFetch, api, tools) {
  let answers = [];
  let ms;
  const fetch = async () => answers.shift();
  const onEvent = (event) => event.type === "request" && (ms = event.ms);
  const sift = siftFetch({ fetch, onEvent, sift: { activation: "on" } });
  const [plain, streamed] = [false, true].map((stream) =>
    posted(api, api.request({ messages: [api.asks("Open an issue")], tools, stream }), stream),
  );
  // A text of its own each time, as a server reads it.
  const ask = async ([url, init], ...replies) => {
    answers = replies;
    await (await sift(url, { ...init, body: Buffer.from(init.body).toString() })).text();
    return ms;
  };
  const several = async (request) => {
    const all = [];
    for (let nth = 0; nth < WARM + REQUESTS; nth++) all.push(await request());
    return median(all.slice(WARM));
  };
  const [text, search] = [TEXT, SEARCH].map((reply) => () => Response.json(whole(api, reply)));
  const events = written(api, TEXT).join("");
  return {
    bytes: plain[1].body.length,
    first: await ask(plain, text()),
    same: await several(() => ask(plain, text())),
    streamed: await several(() => ask(streamed, streamOf(events))),
    searched: await several(() => ask(plain, search(), text())),
  };
}
