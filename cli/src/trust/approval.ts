/** Lists the definitions that wait for approval, and approves them. */

import type { ServerTool } from "toolsift/gateway";
import { inspect, type Finding } from "toolsift/internal";
import { differenceOf, type Change } from "./difference.js";
import { changePins, pinFiles, pinFolder, readPins, UnreadablePins } from "./store.js";

/** A tool definition that waits for approval, with everything that a person needs to decide. */
export interface Waiting {
  server: string;
  tool: string;
  /** The time when it was first seen. */
  seen: string;
  changes: Change[];
  /** The suspicious texts of the new definition. */
  findings: Finding[];
  /** Whether the old definition does not exist, or one of the two was too large to store. */
  incomplete: boolean;
  /** The hash of the new definition. */
  hash: string;
  /** The file with the server's pins (approved definitions). */
  file: string;
}

/** Returns all definitions that wait for approval, and a message for each file that could not be read. */
export async function waitingForApproval(folder = pinFolder()): Promise<{ waiting: Waiting[]; problems: string[] }> {
  const waiting: Waiting[] = [];
  const problems: string[] = [];
  for (const file of await pinFiles(folder)) {
    try {
      const pins = await readPins(file);
      for (const [tool, { pinned, waiting: next }] of pins?.tools ?? []) {
        if (next === undefined) continue;
        const [before, after] = [pinned?.definition, next.definition] as (ServerTool | undefined)[];
        const changes = after ? differenceOf(before, after) : [];
        const findings = after ? inspect(after) : [];
        const { hash, seen } = next;
        waiting.push({ server: pins!.server, tool, seen, changes, findings, incomplete: !before || !after, hash, file });
      }
    } catch (error) {
      if (!(error instanceof UnreadablePins)) throw error;
      problems.push(error.message);
    }
  }
  return { waiting, problems };
}

/**
 * Approves definitions. A definition that changed after it was shown is not approved.
 * @returns the approved definitions
 */
export async function approve(shown: readonly Waiting[]): Promise<Waiting[]> {
  const approved: Waiting[] = [];
  for (const file of new Set(shown.map((one) => one.file))) {
    const ours = shown.filter((one) => one.file === file);
    await changePins(file, ours[0]!.server, async (pins) => {
      for (const one of ours) {
        const entry = pins.tools.get(one.tool);
        if (entry?.waiting?.hash !== one.hash) continue;
        pins.tools.set(one.tool, { pinned: entry.waiting });
        approved.push(one);
      }
      return { result: undefined, write: true };
    });
  }
  return approved;
}
