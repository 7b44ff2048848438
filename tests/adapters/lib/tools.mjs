/** The tools of real MCP servers, as they were captured on this machine, and a host that runs them for the record. */

import { readFileSync } from "node:fs";
import { at } from "../../../scripts/lib/paths.mjs";

/** The servers whose tools the agents of these tests have. */
export const SERVERS = ["filesystem", "memory", "github", "everything"];

/** One server's tools, as MCP lists them. */
export function toolsOf(server) {
  return JSON.parse(readFileSync(at("www", "public", "captured", `${server}.json`), "utf8")).tools;
}

/** A catalog of these tools: a `ToolSift` of the application's package. */
export async function siftOf(app, options = {}) {
  const { ToolSift } = await app.load("toolsift");
  // Their definitions are few enough that `sift` would send them all.
  const sift = new ToolSift(options.profile === undefined ? { activation: "on", ...options } : options);
  for (const server of SERVERS) sift.register(toolsOf(server), { server });
  return sift;
}

/** A host that runs nothing: `{ execute, ran }`, where what ran stands in its order. */
export function host(answer = ({ server, name }) => `${server}/${name} did it`) {
  const ran = [];
  const execute = async (dispatch) => {
    const { server, name, arguments: args } = dispatch;
    ran.push({ server, name, args });
    return answer(dispatch);
  };
  return { execute, ran };
}
