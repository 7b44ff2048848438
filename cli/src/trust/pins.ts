/** A trust policy that stores its pins (approved definitions of tools) on disk, shared by all processes of the user. */

import { join } from "node:path";
import type { Review, ServerTool, TrustPolicy } from "toolsift/gateway";
import { Book, type Entry, type ListReview } from "toolsift/internal";
import { oneLine } from "../output/escape.js";
import { counted } from "../output/table.js";
import { fileNameOf, type Configured } from "./identity.js";
import type { TrustRules } from "./rules.js";
import { approvedIn, bookOf, changePins, noPins, type PinFile, pinFolder } from "./store.js";
import { readPins, UnreadablePins, watchPins } from "./store.js";

export interface TrustOptions {
  rules: TrustRules;
  /** Returns how a server is started. Two different servers with the same name then have separate pins. */
  configured?: Configured;
  /** The folder of the pins. Default: `pins` in the state folder. */
  folder?: string;
  /** Receives a sentence for the user if pins cannot be read or written, or if new or grown tools are used. */
  onProblem?: (message: string) => void;
}

/** A trust policy that reports approvals made in other processes. */
export interface Trust extends TrustPolicy {
  /** Returns why the pins of a server that was reviewed cannot be used, or undefined if they can. */
  fault(server: string): string | undefined;
  /**
   * Calls the listener with the name of a server after another process changed its approved tools. The gateway then reviews
   * the tools again. Watching does not keep the process alive.
   */
  onChange(listener: (server: string) => void): void;
  /** Stops watching. */
  close(): void;
}

/** The most tools that a message names. */
const NAMED = 3;

/**
 * Opens the pins. The first definition of a tool is pinned. A later definition that differs from the pin waits for `mcp
 * approve`. The rules say, by server and tool, whether waiting tools are quarantined, and whether new tools wait too.
 *
 * If a server's file is damaged or cannot be read, all its tools are quarantined: otherwise a changed definition would be
 * pinned as new. If pins cannot be written, they are kept in memory until the process ends.
 */
export function openTrust({ rules, configured, folder = pinFolder(), onProblem = () => {} }: TrustOptions): Trust {
  /** For each reviewed server, its file, the approved definitions that this process knows, and why the file is unusable. */
  const reviewed = new Map<string, { file: string; approved: string; fault?: string }>();
  const unwritten = new Map<string, Map<string, Entry>>();
  let stop: (() => void) | undefined;

  const told = new Set<string>();
  /** Reports new tools, and tools with added parts, that are used without approval. Each is reported once per process. */
  function tellOnce(server: string, news: ListReview["news"]): void {
    const fresh = news.filter(({ name, added }) => {
      const isUsedWhole = added.length > 0 && rules.of(server, name) === "changes";
      const key = JSON.stringify([server, name, added]);
      return !isUsedWhole && !told.has(key) && told.add(key);
    });
    for (const isGrown of [true, false]) {
      const those = fresh.filter(({ added }) => added.length > 0 === isGrown);
      const names = those.slice(0, NAMED).map(({ name, added }) => oneLine(isGrown ? `${name} (${added})` : name));
      if (those.length > NAMED) names.push(`… ${those.length - NAMED} more`);
      const noun = isGrown ? "tool" : "new tool";
      const what = isGrown ? "used as pinned, without what was added" : "used without approval";
      if (those.length > 0) onProblem(`${counted(those.length, noun)} of ${server} ${what}: ${names.join(", ")}.`);
    }
  }

  const fileOf = (server: string): string => join(folder, `${fileNameOf(server, configured?.(server))}.json`);

  async function compared(server: string, tools: readonly ServerTool[]): Promise<ListReview> {
    const file = fileOf(server);
    const waits = (name: string): boolean => rules.of(server, name) === "quarantine";
    const review = (pins: PinFile): ListReview => {
      const made = bookOf(pins).review(tools, waits);
      reviewed.set(server, { file, approved: approvedIn(pins) });
      return made;
    };
    // Most reviews find nothing new. Only a review with changes takes the lock.
    const first = review((await readPins(file)) ?? noPins(server));
    tellOnce(server, first.news);
    if (!first.isChanged) return first;
    try {
      return await changePins(file, server, async (pins) => {
        const result = review(pins);
        return { result, write: result.isChanged };
      });
    } catch (error) {
      if (error instanceof UnreadablePins) throw error;
      if (!unwritten.has(server)) onProblem(`New pins of ${server} are kept in memory only: ${(error as Error).message}`);
      const { tools: written } = (await readPins(file)) ?? noPins(server);
      const inMemory = new Map([...(unwritten.get(server) ?? []), ...written]);
      unwritten.set(server, inMemory);
      return new Book(server, inMemory).review(tools, waits);
    }
  }

  function unusable(server: string, tools: readonly ServerTool[], { message }: Error): Review {
    onProblem(`The tools of ${server} are quarantined: ${message}`);
    // The message differs from all approved definitions, so a repaired or deleted file counts as changed.
    reviewed.set(server, { file: fileOf(server), approved: message, fault: message });
    return { admitted: [], quarantined: unique(tools).map(({ name }) => ({ name, reason: message })) };
  }

  async function look(listener: (server: string) => void): Promise<void> {
    for (const [server, { file, approved }] of reviewed) {
      const now = await readPins(file).then(
        (pins) => (pins ? approvedIn(pins) : ""),
        () => approved,
      );
      const known = reviewed.get(server);
      // If this process reviewed the server in the meantime, it knows the new file already.
      if (known?.approved !== approved || now === approved) continue;
      known.approved = now;
      listener(server);
    }
  }

  return {
    async review(server, tools) {
      const isUsed = ({ name }: { name: string }): boolean => ["changes", "off"].includes(rules.of(server, name));
      const looked = tools.filter(({ name }) => rules.of(server, name) !== "off");
      const review = await compared(server, looked).catch((error: Error) => unusable(server, looked, error));
      const asPinned = new Map(review.admitted.map((tool) => [tool.name, tool]));
      // In the server's order. A tool whose rule admits every change is used as the server sends it.
      const admitted = unique(tools).flatMap((tool) => (isUsed(tool) ? tool : (asPinned.get(tool.name) ?? [])));
      return { admitted, quarantined: review.quarantined.filter((one) => !isUsed(one)) };
    },
    fault: (server) => reviewed.get(server)?.fault,
    onChange(listener) {
      stop = watchPins(folder, () => look(listener));
    },
    close: () => stop?.(),
  };
}

/** Returns the tools that have a name. Of several tools with the same name, the first one is returned. */
function unique(tools: readonly ServerTool[]): ServerTool[] {
  const named = tools.filter((tool) => typeof tool?.name === "string");
  return [...new Map(named.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}
