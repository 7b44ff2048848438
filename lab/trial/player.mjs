/** Opens the player of a trial: a model behind an API, a program, or a person or agent that reads and writes files. */

import { at } from "../../scripts/lib/paths.mjs";
import { endpoint } from "./players/endpoint.mjs";
import { program } from "./players/program.mjs";
import { APIS } from "./wire.mjs";

const FOLDER = "folder:";
const KEYS = { chat: "OPENAI_API_KEY", responses: "OPENAI_API_KEY", messages: "ANTHROPIC_API_KEY" };

const quoted = (text) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;

/**
 * Returns the player: `ask({ id, conversation, api, request })` returns a promise of the reply, and `close` ends the player.
 */
export function playerOf({ url, api, player }) {
  if (url !== undefined) return endpoint({ url, api: APIS[api], key: process.env[KEYS[api]] });
  if (!player.startsWith(FOLDER)) return program(player);
  const script = at("lab", "trial", "players", "folder.mjs");
  return program([process.execPath, script, player.slice(FOLDER.length)].map(quoted).join(" "));
}
