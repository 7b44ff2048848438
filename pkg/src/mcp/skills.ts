/** Lists the skills of a server. Imported only for servers with skills, because it is as large as this folder's rest. */

import { within } from "../base/wait.js";
import { isTaken } from "../servers/config.js";
import { acceptedSkills, skillOf } from "../skills/entry.js";
import { asked } from "../skills/extension.js";
import { served } from "../skills/served.js";
import { type Link, reasonFrom } from "../upstream/link.js";
import { type ListBudget, listAll, type Listing } from "../upstream/list.js";
import type { McpSettings } from "./options.js";
import type { McpClient } from "./types.js";

/** The time limit for the list of skills, in ms, so that the tools do not wait longer for it. */
const SKILLS_MS = 10_000;

/** Returns the skills of a server, as they are registered. If they cannot be listed, `incomplete` is the reason. */
export async function listSkills(
  link: Link<McpClient, unknown>,
  client: McpClient,
  budget: ListBudget,
  settings: McpSettings,
): Promise<Listing> {
  const { maxTools, callTimeoutMs: ms } = settings;
  const wait = { what: `reading a file of ${link.name}`, ms };
  const read = (uri: string) =>
    link.use((one) => within(wait, (signal) => asked(one, "resources/read", { uri }, { signal, timeout: ms })), wait);
  try {
    Object.assign(budget, { ms: SKILLS_MS, end: Math.min(budget.end, performance.now() + SKILLS_MS) });
    const { entries, incomplete } = await listAll(client, "skills/list", maxTools, budget);
    const chosen = acceptedSkills(entries).filter(({ frontmatter: { name } }) => isTaken(settings, name));
    const broken = entries.filter((entry) => "problem" in skillOf(entry)).length;
    const problem = broken === 0 ? null : `${broken} of its skills are broken, and left out`;
    return { entries: served(chosen, { read, listAgain: () => link.changes.note() }), incomplete: incomplete ?? problem };
  } catch (error) {
    return { entries: [], incomplete: `its skills cannot be listed: ${reasonFrom(error)}` };
  }
}
