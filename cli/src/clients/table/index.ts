/** All clients, in the order in which their files are read when nobody says which client is meant. */

import { ClientError, type Client } from "../types.js";
import { claudeCode } from "./claude-code.js";
import { claudeDesktop } from "./claude-desktop.js";
import { codex } from "./codex.js";
import { cursor } from "./cursor.js";
import { opencode } from "./opencode.js";
import { vscode } from "./vscode.js";
import { windsurf } from "./windsurf.js";
import { zed } from "./zed.js";

export const CLIENTS: readonly Client[] = [claudeCode, claudeDesktop, cursor, vscode, windsurf, codex, opencode, zed];

/** The ids of all clients, for messages. */
export const CLIENT_IDS = CLIENTS.map((client) => client.id);

/** The client of an id. @throws ClientError for an unknown one */
export function clientOf(id: string): Client {
  const client = CLIENTS.find((one) => one.id === id);
  if (client) return client;
  throw new ClientError(
    `Unknown client ${JSON.stringify(String(id).slice(0, 40))}. Known clients: ${CLIENT_IDS.join(", ")}.`,
  );
}
