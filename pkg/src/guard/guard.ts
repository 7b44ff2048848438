/** The guard: decides which definitions a catalog takes, and keeps those that wait for the host. */

import type { WrittenList } from "../core/written-list.js";
import { ToolSiftError } from "../base/errors.js";
import { queryOf } from "../loop/rank.js";
import { type Catalog, type SubmittedList, type Owner, REVIEWER, type Reviewer } from "../core/reviewer.js";
import { mayHide } from "../suspicious/hidden.js";
import { Awaited, awaitedText } from "../suspicious/awaited.js";
import { approvedPin, compared, firstPin, type Same } from "../suspicious/compared.js";
import { type Pinned, pinnedHash } from "../suspicious/pinned.js";
import { likePinned } from "../suspicious/spellings.js";
import type {
  Guard,
  GuardReport,
  HeldTool,
  RegisterReport,
  SuspiciousText,
  SyncReport,
  ToolNews,
  ToolPin,
} from "../types/index.js";
import { kind } from "../base/values.js";
import { isObject } from "../wire/fields.js";
import { definitionsOf, escapedIn, replaced } from "./definitions.js";
import { type GuardOptions, guardSettings, pinsOf } from "./options.js";
import { Pins } from "./pins.js";
import { Suspicions } from "./suspicions.js";
import { type WaitingTool, Waiting } from "./waiting.js";

/**
 * Makes a guard, to be given to `new ToolSift({ guard })`, `toolsift({ guard })` and everything else that takes these options.
 * Several catalogs may share one; then a tool that was pinned or accepted in one of them is so in all.
 *
 * Tools without a server are the host's own: their texts are reported, and nothing of them is pinned or held. Definitions that
 * come out of an index (`ToolSift.fromIndex`) are not looked at.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export function guard(options: GuardOptions = {}): Guard {
  const settings = guardSettings(options);
  const pins = new Pins(settings.pins);
  const waiting = new Waiting();
  const suspicions = new Suspicions(settings.pins);

  /** Why a definition has to wait, if it has to; or the pinned one that it is. */
  function verdictOn(
    owner: Owner,
    definition: object,
    pin: ToolPin,
    findings: readonly SuspiciousText[],
  ): Reason | Known | undefined {
    if (pin.hash === "")
      return { reason: "limit", message: "its definition is nested deeper than 256 levels, or too large", pinned: null };
    const pinned = pins.of(owner, pin);
    const same = pinned && compared(pinned, definition, pin.hash);
    if (same !== undefined) return { ...same, pin: same.pin === pinned ? undefined : same.pin };
    if (pinned !== undefined && settings.pinning)
      return { reason: "changed", message: "its definition changed", pinned: pinned.hash };
    const alike = pinned === undefined && settings.pinning ? pins.like(owner, pin) : undefined;
    if (alike !== undefined) return { reason: "changed", message: likePinned(alike), pinned: null };
    const [first] = findings;
    if (first !== undefined && settings.holdsSuspicious) {
      return { reason: "suspicious", message: `in its ${first.where}: ${first.detail}`, pinned: pinned?.hash ?? null };
    }
    if (!settings.pinning || pins.hasRoom(owner)) return undefined;
    return {
      reason: "limit",
      message: `${pins.size(owner)} definitions are pinned already, which is the limit`,
      pinned: null,
    };
  }

  function review<Report extends RegisterReport | SyncReport>(submitted: SubmittedList<Report>): Report {
    const { owner, settings: registration, whole, list, take, catalog, later, has } = submitted;
    const serverOption = (Object(registration) as { server?: unknown }).server;
    const server = typeof serverOption === "string" ? serverOption : null;
    const left: WrittenList = { texts: [], places: [], rejected: list.rejected };
    const held: HeldTool[] = [];
    const suspicious: SuspiciousText[] = [];
    const news: ToolNews[] = [];
    const seen: { place: number; tool: ToolPin; pin: Pinned | undefined }[] = [];
    const holding: WaitingTool[] = [];
    const isKnown = whole && server !== null && settings.pinning && pins.knows(owner, server);
    for (const [at, text] of list.texts.entries()) {
      const place = list.places[at]!;
      const entry: unknown = JSON.parse(text);
      if (!isObject(entry)) {
        // The catalog says what is wrong with it.
        left.texts.push(text);
        left.places.push(place);
        continue;
      }
      const others = new Map<unknown, object | undefined>();
      for (const { server: of, name, definition } of definitionsOf(entry, server)) {
        const hash = pinnedHash(definition) ?? "";
        const findings = suspicions
          .in(definition, hash, of === null ? undefined : { server: of, name })
          .map((found) => ({ server: of, name, ...found }));
        suspicious.push(...findings);
        // What has no server is the host's own.
        if (of === null) continue;
        const tool = { server: of, name, hash };
        const verdict = verdictOn(owner, definition, tool, findings);
        const isHeld = verdict !== undefined && "reason" in verdict;
        if (!isHeld) {
          const added = verdict?.added ?? [];
          seen.push({ place, tool, pin: verdict === undefined ? firstPin(definition, hash) : verdict.pin });
          if (verdict === undefined ? isKnown : added.length > 0) news.push({ ...tool, added });
          if (added.length === 0) continue;
          others.set(definition, verdict!.tool);
        } else if (!whole && has(tool)) {
          // To register a tool that is there is refused by the catalog, which keeps it as it is.
          continue;
        } else others.set(definition, undefined);
        const shown = escapedIn(definition);
        const reason = isHeld ? verdict : { reason: "changed" as const, message: "something was added to it", pinned: null };
        const waits = { ...tool, ...reason, definition: shown, suspicious: findings };
        if (isHeld) held.push(waits);
        if (hash === "") continue;
        const written = JSON.stringify(settings.showsHidden ? shown : definition);
        const pin = firstPin(definition, hash);
        holding.push({ owner, tool: waits, pin, isUsed: !isHeld, text: written, catalog: weakly(catalog), later });
      }
      const rest = replaced(entry, others);
      if (rest === undefined) continue;
      const hides = settings.showsHidden && mayHide(text);
      left.texts.push(rest === entry && !hides ? text : JSON.stringify(hides ? escapedIn(rest) : rest));
      left.places.push(place);
    }
    const report = take(left);
    // Only now: where the catalog refuses the whole list, nothing has changed.
    if (whole && server !== null) waiting.drop(owner, server);
    const refused = new Set(report.rejected.map(({ index, name }) => `${index} ${name}`));
    for (const { place, tool, pin } of seen) {
      if (refused.has(`${place} ${tool.name}`)) continue;
      if (settings.pinning && pin !== undefined) pins.add(owner, tool, pin);
      if (owner.sessionNumber === 0) suspicions.took(tool);
      waiting.remove(owner, tool);
    }
    for (const one of holding) waiting.add(one);
    return { ...report, held, suspicious, news };
  }

  /** What waits of each catalog and session, as of a revision. */
  const awaited = new WeakMap<object, Map<number, { tools: Awaited; revision: number }>>();

  /** What waits of an owner, brought up to now; undefined where nothing does. */
  function awaitedOf(catalog: Catalog, sessionNumber: number): Awaited | undefined {
    const ofCore = awaited.get(catalog) ?? new Map<number, { tools: Awaited; revision: number }>();
    awaited.set(catalog, ofCore);
    const known = ofCore.get(sessionNumber);
    if (known?.revision === waiting.revision) return known.tools;
    const waits = waiting.definitionsOf({ core: catalog.number, sessionNumber });
    if (waits.size === 0) {
      ofCore.delete(sessionNumber);
      known?.tools.dispose();
      return undefined;
    }
    const tools = known?.tools ?? new Awaited(catalog.beside());
    for (const server of new Set([...tools.servers, ...waits.keys()])) tools.sync(server, waits.get(server) ?? []);
    ofCore.set(sessionNumber, { tools, revision: waiting.revision });
    return tools;
  }

  const reviewer: Reviewer = {
    review,
    awaited({ catalog, sessionNumber, args, admits }) {
      if (waiting.revision === 0) return undefined;
      const query = queryOf(args);
      if (query === null) return undefined;
      const found = [...new Set([0, sessionNumber])].flatMap((number) => awaitedOf(catalog, number)?.found(query) ?? []);
      const seen = found.filter(admits);
      return seen.length === 0 ? undefined : awaitedText(seen, () => "only the user can give it, so tell the user");
    },
    removed(owner, { server, names }) {
      // Names are those that the model sees; what waits has none.
      if (typeof server === "string" && names === undefined) waiting.drop(owner, server);
    },
    gone(owner) {
      waiting.gone(owner);
      pins.gone(owner);
    },
  };
  const made: Guard = {
    pins: () => pins.all(),
    held: () => waiting.all(),
    accept(tools) {
      const report: GuardReport = { registered: [], refused: [] };
      for (const pin of pinsOf("tools", tools)) {
        const { server, name } = pin;
        const refuse = (message: string) => report.refused.push({ server, name, message });
        const found = waiting.of(pin);
        if (found.length === 0) refuse("no such definition waits");
        for (const { owner, isUsed, text, catalog, later, pin: next } of found) {
          const done = { registered: [], problem: undefined };
          const { registered, problem } = isUsed ? done : attempt(() => later(catalog()!, [text]));
          if (problem !== undefined) {
            refuse(problem);
            continue;
          }
          report.registered.push(...registered);
          pins.add(owner, pin, approvedPin(pins.of(owner, pin), next));
          waiting.remove(owner, pin);
        }
      }
      return report;
    },
    forget(server) {
      if (typeof server === "string") {
        suspicions.forget(server);
        return pins.forget(server);
      }
      throw new ToolSiftError("option_invalid", `server is ${kind(server)}; it must be the name of a server`);
    },
  };
  return Object.freeze(Object.defineProperty(made, REVIEWER, { value: reviewer }));
}

/** A definition that is as it was pinned, with its pin where that changes. */
type Known = Omit<Same<object>, "pin"> & { pin: Pinned | undefined };

type Reason = Pick<HeldTool, "reason" | "message" | "pinned">;

/** A way to an object that does not keep it alive, where the runtime has one. */
function weakly(object: object): () => object | undefined {
  if (typeof WeakRef !== "function") return () => object;
  const reference = new WeakRef(object);
  return () => reference.deref();
}

/** Registers what was accepted; what is in the way is the answer, so that one refusal does not stop the others. */
function attempt(take: () => { registered: string[]; rejected: { message: string }[] }): {
  registered: string[];
  problem: string | undefined;
} {
  try {
    const { registered, rejected } = take();
    return { registered, problem: rejected[0]?.message };
  } catch (error) {
    if (!ToolSiftError.is(error)) throw error;
    return { registered: [], problem: error.message };
  }
}
