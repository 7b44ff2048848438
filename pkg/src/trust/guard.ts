/** The guard: decides which definitions a catalog may register, and stores those that wait for your program's approval. */

import { ToolSiftError } from "../base/errors.js";
import { kind } from "../base/values.js";
import { type Catalog, REVIEWER, type Reviewer, type SubmittedList } from "../core/reviewer.js";
import type { WrittenList } from "../core/written-list.js";
import { queryOf } from "../loop/rank.js";
import type {
  Guard,
  GuardReport,
  QuarantinedTool,
  RegisterReport,
  SuspiciousText,
  SyncReport,
  ToolNews,
} from "../types/index.js";
import { isObject } from "../wire/fields.js";
import { Awaited, awaitedText } from "./awaited.js";
import type { Book } from "./book.js";
import { definitionsOf, escapedIn, replaced, Pins } from "./pins.js";
import { mayHide } from "./hidden.js";
import { type GuardOptions, guardSettings, pinsOf } from "./options.js";
import { firstPin, type Pinned, pinnedHash } from "./pinned.js";
import type { Tool } from "./names.js";
import { Suspicions } from "./inspect.js";
import { pinKey, Waiting, type WaitingTool } from "./waiting.js";

/**
 * Makes a guard, for `new ToolSift({ guard })`, `toolsift({ guard })` and everything else with these options. Several
 * catalogs may share one guard: then a tool that was pinned or accepted in one of them is so in all.
 *
 * Tools without a server are your program's own: their texts are reported, but they are never pinned or quarantined.
 * Definitions of an index (`ToolSift.fromIndex`) are not checked.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export function guard(options: GuardOptions = {}): Guard {
  const settings = guardSettings(options);
  const pins = new Pins(settings.pins);
  const waiting = new Waiting();
  const suspicions = new Suspicions(settings.pins);

  /**
   * Decides about a definition: it is used, or quarantined because of a change or of suspicious text. Without pinning, a
   * changed definition is used, too.
   */
  function judged(book: Book, name: string, definition: object, hash: string | undefined, findings: SuspiciousText[]) {
    const pin = firstPin(definition, hash ?? "");
    const verdict = book.judge(name, definition, hash);
    const isTaken = !settings.pinning && hash !== undefined && "reason" in verdict;
    const given = isTaken ? { tool: definition, added: [], isFirst: true, pin } : verdict;
    const [first] = findings;
    if (first === undefined || !settings.quarantinesSuspicious || !("isFirst" in given) || !given.isFirst) return given;
    return { reason: "suspicious" as const, message: `in its ${first.where}: ${first.detail}`, pin };
  }

  function review<Report extends RegisterReport | SyncReport>(submitted: SubmittedList<Report>): Report {
    const { owner, settings: registration, whole, list, take, catalog, later, has } = submitted;
    const serverOption = (Object(registration) as { server?: unknown }).server;
    const server = typeof serverOption === "string" ? serverOption : null;
    const left: WrittenList = { texts: [], places: [], rejected: list.rejected };
    const quarantined: QuarantinedTool[] = [];
    const suspicious: SuspiciousText[] = [];
    const news: ToolNews[] = [];
    const seen: { place: number; book: Book; tool: Tool; pin: Pinned | undefined }[] = [];
    const waits: WaitingTool[] = [];
    const isKnown = whole && server !== null && settings.pinning && pins.of(owner, server).entries.size > 0;
    for (const [at, text] of list.texts.entries()) {
      const place = list.places[at]!;
      const entry: unknown = JSON.parse(text);
      if (!isObject(entry)) {
        // The catalog reports the error of the entry.
        left.texts.push(text);
        left.places.push(place);
        continue;
      }
      const others = new Map<unknown, object | undefined>();
      for (const { server: of, name, definition } of definitionsOf(entry, server)) {
        const hash = pinnedHash(definition);
        const findings = suspicions
          .in(definition, hash, of === null ? undefined : { server: of, name })
          .map((found) => ({ server: of, name, ...found }));
        suspicious.push(...findings);
        // A tool without a server is your program's own.
        if (of === null) continue;
        const book = pins.of(owner, of);
        const tool = { server: of, name, hash: hash ?? "" };
        const verdict = judged(book, name, definition, hash, findings);
        const isUsed = "isFirst" in verdict;
        if (isUsed) {
          const { isFirst, added, pin } = verdict;
          seen.push({ place, book, tool, pin: isFirst && settings.pinning ? pin : undefined });
          if ((isFirst && isKnown) || added.length > 0) news.push({ ...tool, added });
          if (added.length === 0) continue;
          others.set(definition, verdict.tool);
        } else if (!whole && has(tool)) {
          // The catalog refuses to register a tool again, and keeps the registered one.
          continue;
        } else others.set(definition, undefined);
        const { reason, message } = isUsed ? { reason: "changed" as const, message: "something was added to it" } : verdict;
        const pinned = reason === "changed" && !isUsed ? (book.entries.get(name)?.pinned?.hash ?? null) : null;
        const about = { ...tool, reason, message, pinned, definition: escapedIn(definition), suspicious: findings };
        if (!isUsed) quarantined.push(about);
        if (verdict.pin === undefined) continue;
        const written = JSON.stringify(about.definition);
        const { pin } = verdict;
        waits.push({ owner, tool: about, pin, isUsed, text: written, catalog: weakly(catalog), later, place });
      }
      const rest = replaced(entry, others);
      if (rest === undefined) continue;
      const hides = mayHide(text);
      left.texts.push(rest === entry && !hides ? text : JSON.stringify(hides ? escapedIn(rest) : rest));
      left.places.push(place);
    }
    const report = take(left);
    // The waiting tools are removed only now: if the catalog refuses the whole list, nothing may change.
    if (whole && server !== null) waiting.drop(owner, server);
    const refused = new Set(report.rejected.map(({ index, name }) => `${index} ${name}`));
    for (const { place, book, tool, pin } of seen) {
      if (refused.has(`${place} ${tool.name}`)) continue;
      if (pin !== undefined) book.set(tool.name, "pinned", pin);
      if (owner.sessionNumber === 0) suspicions.names.add(tool);
      waiting.remove(owner, tool);
    }
    if (owner.sessionNumber !== 0) pins.trim();
    for (const one of waits) waiting.add(one);
    return { ...report, quarantined, suspicious, news };
  }

  /** The indexes of waiting tools, by catalog and session, with the revision that they were built for. */
  const awaited = new WeakMap<object, Map<number, { tools: Awaited; revision: number }>>();

  /** Returns the current index of an owner's waiting tools; undefined if no tool waits. */
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
      // The names are those that the model sees, and waiting tools have no such names.
      if (typeof server === "string" && names === undefined) waiting.drop(owner, server);
    },
    gone(owner) {
      waiting.gone(owner);
      pins.gone(owner);
    },
  };
  const made: Guard = {
    pins: () => pins.all(),
    quarantined: () =>
      [...waiting.byPin().values()].flatMap(([one]) => (one === undefined || one.isUsed ? [] : [structuredClone(one.tool)])),
    accept(tools) {
      const report: GuardReport = { registered: [], refused: [] };
      const byPin = waiting.byPin();
      for (const pin of pinsOf("tools", tools)) {
        const { server, name } = pin;
        const refuse = (message: string) => report.refused.push({ server, name, message });
        const found = byPin.get(pinKey(pin)) ?? [];
        byPin.delete(pinKey(pin));
        if (found.length === 0) refuse("no such definition waits");
        for (const { owner, isUsed, text, place, catalog, later, pin: next } of found) {
          const done = { registered: [], problem: undefined };
          const { registered, problem } = isUsed ? done : attempt(() => later(catalog()!, text, place));
          if (problem !== undefined) {
            refuse(problem);
            continue;
          }
          report.registered.push(...registered);
          pins.of(owner, server).set(name, "pinned", next);
          waiting.remove(owner, pin);
        }
      }
      return report;
    },
    forget(server) {
      if (typeof server === "string") {
        suspicions.names.forget(server);
        return pins.forget(server);
      }
      throw new ToolSiftError("option_invalid", `server is ${kind(server)}; it must be the name of a server`);
    },
  };
  return Object.freeze(Object.defineProperty(made, REVIEWER, { value: reviewer }));
}

/** Returns a weak reference to an object, if the runtime supports it. */
function weakly(object: object): () => object | undefined {
  if (typeof WeakRef !== "function") return () => object;
  const reference = new WeakRef(object);
  return () => reference.deref();
}

/** Registers an accepted definition. Returns a refusal as `problem`, so that it does not stop the other registrations. */
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
