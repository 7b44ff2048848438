/** Further requests of a client to an API behind the proxy, in addition to those in apis.test.mjs. */

import { APIS, posted, upstream } from "../../apis/index.mjs";
import { definitions } from "./tools.mjs";

export const { siftFetch, siftProxy } = await import("toolsift/proxy");

export const search = (query = "create an issue") => ({ name: "search_tools", args: { query } });
export const own = { name: "create_issue", args: { issue_id: "1" } };

/** A client of an API that answers with these replies: `ask(more)` sends a request with these fields, and reads the reply. */
export function client(name, replies, { stream = false, api = APIS[name], ...options } = {}) {
  const problems = [];
  const { fetch, seen, told } = upstream(api, replies);
  const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
  const sift = siftFetch({ fetch, onEvent, ...options });
  const one = api.request({ messages: [api.asks("Please help me")], tools: definitions, stream });
  const ask = async (more = {}, headers) => {
    const response = await sift(...posted(api, { ...one, ...more }, stream, headers));
    return api.collect(await response.text(), stream);
  };
  return { ask, one, seen, told, problems };
}
