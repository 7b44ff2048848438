/** The tools of real MCP servers, captured on this machine, and a program that records their calls. */

import { readFileSync } from "node:fs";
import { at } from "../../../scripts/lib/paths.mjs";
import { skillsOf } from "../../conversations/play.mjs";

/** The servers whose tools the agents of these tests have. */
export const SERVERS = ["filesystem", "memory", "github", "everything"];

const listed = new Map();

/** One server's tools, as MCP lists them: the same objects each time, to be changed by nobody. */
export function toolsOf(server) {
  if (!listed.has(server)) {
    listed.set(server, JSON.parse(readFileSync(at("www", "captured", `${server}.json`), "utf8")).tools);
  }
  return listed.get(server);
}

/** A catalog of these tools: a `ToolSift` of the application's package. */
export async function siftOf(app, options = {}, { servers = SERVERS, register = [], skills } = {}) {
  const { ToolSift } = await app.load("toolsift");
  // Their definitions are few enough that `sift` would send them all.
  const sift = new ToolSift(options.profile === undefined ? { activation: "on", ...options } : options);
  for (const server of servers) sift.register(toolsOf(server), { server });
  sift.register([...register, ...skillsOf(skills)]);
  return sift;
}

/** Tools as a host passes them: those of the captured servers where they have the name, or any other. */
export function ownTools(own) {
  const captured = new Map(SERVERS.flatMap(toolsOf).map((tool) => [tool.name, tool]));
  const made = (name) => captured.get(name) ?? { name, description: "Mine", inputSchema: { type: "object" } };
  return own.map((one) => (typeof one === "string" ? made(one) : one));
}

const catalogs = new Map();

/** The one catalog of an application for all tests that do not change it. They close their sessions. */
export function catalogOf(app) {
  if (!catalogs.has(app)) catalogs.set(app, siftOf(app));
  return catalogs.get(app);
}

/** A host that runs nothing: `{ execute, ran }`, where what ran stands in its order. */
export function host(answer = ({ server, name }) => `${server}/${name} did it`, ran = []) {
  const execute = async (dispatch) => {
    const { server, name, arguments: args } = dispatch;
    ran.push({ server, name, args });
    return answer(dispatch);
  };
  return { execute, ran };
}

/** One run over a drive, with the catalog that it was over, its own unless one is given, and what ran. */
export async function agentOver({ converse }, app, { settings, sift, answer, ran: all, ...options }) {
  const its = sift ?? (await siftOf(app, settings));
  const { execute, ran } = host(answer, all);
  const about = { app, sift: its, id: "chat", prompt: "Go on.", execute, ...options };
  return { sift: its, ran, ...(await converse(about)) };
}

/** A field of each value of a list; several fields as a list. */
export const pluck = (list, ...keys) => list.map((one) => (keys.length === 1 ? one[keys[0]] : keys.map((key) => one[key])));
