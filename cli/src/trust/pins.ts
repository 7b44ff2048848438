/** A trust policy whose pins outlive the process and are shared by all processes of the user. */

import { join } from "node:path";
import type { Review, ServerTool, TrustPolicy } from "toolsift/gateway";
import { reviewAgainst } from "toolsift/internal";
import { oneLine } from "../output/escape.js";
import { counted } from "../output/table.js";
import { fileNameOf, type Configured } from "./identity.js";
import { allWaiting, approvedIn, note, pinsIn, type Told } from "./notes.js";
import type { TrustRules } from "./rules.js";
import {
  changePins,
  noPins,
  type Pinned,
  pinFolder,
  readPins,
  replaceDamaged,
  UnreadablePins,
  watchPins,
  type PinFile,
} from "./store.js";

export interface TrustOptions {
  rules: TrustRules;
  /** How each server is started, so that two configurations of one name do not share pins. */
  configured?: Configured;
  /** Where the pins are kept. Default: `pins` in the state folder. */
  folder?: string;
  /** Is told of pins that cannot be read or written, in a sentence for people. */
  onProblem?: (message: string) => void;
}

/** A trust policy that tells when somebody approved something. */
export interface Trust extends TrustPolicy {
  /**
   * Calls the listener with the name of a server after another process changed what is approved of it, so that the gateway
   * reviews its tools again. Watching does not keep the process alive.
   * @returns a function that ends it
   */
  onChange(listener: (server: string) => void): () => void;
  /** Ends all watching. */
  close(): void;
}

/** What is told of tools that are used. */
const TOLD: Readonly<Record<Told["what"], string>> = {
  shifting: "with counts that shift by themselves, which are not held",
  grown: "used as pinned, without what was added",
  new: "that had not been there, and used",
};
/** Tools that are named. */
const NAMED = 3;

/**
 * Opens the pins. A tool is pinned when it is first seen, and one whose definition differs from its pin waits for `mcp approve`.
 * The rules say of which server and tool what waits is held, and of which new tools wait too.
 *
 * If a server's file is damaged, it is put aside, and all tools of the server wait: otherwise a definition that changed
 * would be pinned as new. If the file cannot be read, all tools are held. If pins cannot be written, they are kept in memory
 * until the process ends.
 */
export function openTrust({ rules, configured, folder = pinFolder(), onProblem = () => {} }: TrustOptions): Trust {
  /** Of each reviewed server its file and the approved definitions as this process knows them. */
  const reviewed = new Map<string, { file: string; approved: string }>();
  const unwritten = new Map<string, Map<string, Pinned>>();
  const listeners = new Set<(server: string) => void>();
  let stop: (() => void) | undefined;

  const reported = new Set<string>();
  /** Tells once in the life of the process what a person should know of tools that are used, however many they are. */
  function tellOnce(server: string, told: readonly Told[]): void {
    for (const [what, text] of Object.entries(TOLD)) {
      const keyOf = ({ name, places }: Told): string => JSON.stringify([server, what, name, places]);
      const fresh = told.filter((one) => one.what === what && !reported.has(keyOf(one)));
      for (const one of fresh) reported.add(keyOf(one));
      const names = fresh.slice(0, NAMED).map(({ name, places }) => oneLine(places ? `${name} (${places})` : name));
      if (fresh.length > NAMED) names.push(`… ${fresh.length - NAMED} more`);
      if (fresh.length > 0) onProblem(`${counted(fresh.length, "tool")} of ${server} ${text}: ${names.join(", ")}.`);
    }
  }

  const fileOf = (server: string): string => join(folder, `${fileNameOf(server, configured?.(server))}.json`);

  async function compared(server: string, tools: readonly ServerTool[]): Promise<Review> {
    const file = fileOf(server);
    const remember = (pins: PinFile): void => void reviewed.set(server, { file, approved: approvedIn(pins) });
    const known = (await readPins(file)) ?? noPins(server);
    // Most reviews find nothing new, and need no lock.
    const waits = (name: string): boolean => rules.of(server, name) === "quarantine";
    const { review, changed, told } = note(known, await reviewAgainst(pinsIn(known), tools, server), waits);
    const isUsedWhole = ({ name, what }: Told): boolean => what === "grown" && rules.of(server, name) === "changes";
    tellOnce(
      server,
      told.filter((one) => !isUsedWhole(one)),
    );
    if (!changed) {
      remember(known);
      return review;
    }
    try {
      return await changePins(file, server, async (pins) => {
        const noted = note(pins, await reviewAgainst(pinsIn(pins), tools, server), waits);
        remember(pins);
        return { result: noted.review, write: noted.changed };
      });
    } catch (error) {
      if (error instanceof UnreadablePins) throw error;
      if (!unwritten.has(server)) onProblem(`New pins of ${server} are kept in memory only: ${(error as Error).message}`);
      const inMemory = new Map([...(unwritten.get(server) ?? []), ...pinsIn((await readPins(file)) ?? noPins(server))]);
      const { admitted, held, pins } = await reviewAgainst(inMemory, tools, server);
      unwritten.set(server, pins as Map<string, Pinned>);
      return { admitted, held };
    }
  }

  /** Puts a damaged file aside, makes all tools wait, and reviews again. Where that fails, all tools are held. */
  async function afterDamage(server: string, tools: readonly ServerTool[], damage: UnreadablePins): Promise<Review> {
    try {
      if (!damage.damaged) throw damage;
      const fresh = await reviewAgainst(new Map(), tools, server);
      const aside = await replaceDamaged(fileOf(server), server, (pins) => allWaiting(pins, fresh));
      if (aside) onProblem(`${damage.message}. It is now ${aside}, and the tools of ${server} wait for approval.`);
      return await compared(server, tools);
    } catch (error) {
      const { message } = error as Error;
      onProblem(`The tools of ${server} are held: ${message}`);
      return { admitted: [], held: unique(tools).map(({ name }) => ({ name, reason: message })) };
    }
  }

  async function look(): Promise<void> {
    for (const [server, { file, approved }] of reviewed) {
      const now = await readPins(file).then(
        (pins) => (pins ? approvedIn(pins) : ""),
        () => approved,
      );
      const known = reviewed.get(server);
      // A review of this process that ran meanwhile knows the file already.
      if (known?.approved !== approved || now === approved) continue;
      known.approved = now;
      for (const listener of listeners) listener(server);
    }
  }

  return {
    async review(server, tools) {
      const isLookedAt = ({ name }: ServerTool): boolean => rules.of(server, name) !== "off";
      const looked = tools.filter(isLookedAt);
      const review = await compared(server, looked).catch((error) => afterDamage(server, looked, error as UnreadablePins));
      const held = review.held.filter(({ name }) => rules.of(server, name) !== "changes");
      const isHeld = new Set(held.map(({ name }) => name));
      // What waits and is not held is admitted, in the server's order.
      const admitted = new Map(review.admitted.map((tool) => [tool.name, tool]));
      const all = unique(tools).filter(({ name }) => !isHeld.has(name));
      const asPinned = (tool: ServerTool): ServerTool =>
        rules.of(server, tool.name) === "changes" ? tool : (admitted.get(tool.name) ?? tool);
      return { ...review, admitted: all.map(asPinned), held };
    },
    onChange(listener) {
      listeners.add(listener);
      stop ??= watchPins(folder, look);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    close() {
      listeners.clear();
      stop?.();
      stop = undefined;
    },
  };
}

/** The tools with a name, each name once. */
function unique(tools: readonly ServerTool[]): ServerTool[] {
  const byName = new Map<string, ServerTool>();
  for (const tool of tools) {
    if (typeof tool?.name === "string" && !byName.has(tool.name)) byName.set(tool.name, tool);
  }
  return [...byName.values()];
}
