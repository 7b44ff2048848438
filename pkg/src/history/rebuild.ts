/** Rebuilds what is revealed by replaying the traces of a conversation in the session's order. */

import { ask, read } from "../boundary.js";
import { core as glue } from "../core.js";
import { ToolSiftError } from "../errors.js";
import type { Core } from "../host.js";
import type { HistoryReport, ProfileInfo, SettingsInfo, Snapshot, ToolIdentity, ToolInfo } from "../types.js";
import type { Call } from "./calls.js";
import { type Trace, tracesOf } from "./traces.js";

type Told = Snapshot["revealed"][number];

/** What a name stands for: what is revealed by it, a tool that needs no reveal, one that must not be, or nothing. */
type Meaning = ToolIdentity | "eager" | "refused" | "unknown";

/** Makes the reveals of a session those of its calls. What can fail comes before the first change. */
export function rebuild(core: Core, id: string, opening: number, calls: readonly Call[]): HistoryReport {
  const settings = ask<SettingsInfo>(() => core.settings());
  const before = ask<Snapshot>(() => core.snapshot(id, opening));
  const seen = ask<string[]>(() => core.revealed(id, opening));
  const profiles = ask<ProfileInfo[]>(() => glue().Core.profiles());
  const { surface = [] } = profiles.find(({ name }) => name === settings.profile) ?? {};
  const rules = { settings, surface, holds: holder(core, id, opening, settings) };
  const named = modelNames(core, calls);
  // Answers are looked into only here, and may have getters that throw as well as messages have.
  const traces = read("messages_invalid", "messages", () => named.flatMap((call) => tracesOf(call, rules)));
  const missing = new Replay(core, id, opening, before, settings, calls.at(-1)?.step ?? 0).play(traces);
  const now = ask<string[]>(() => core.revealed(id, opening));
  return { revealed: without(now, seen), concealed: without(seen, now), missing: without(missing, now) };
}

/** The calls under the names that models see, where the model of Google's format saw another name. */
function modelNames(core: Core, calls: readonly Call[]): readonly Call[] {
  // The core puts a `_` in front of names that the Gemini API refuses.
  if (!calls.some(({ name }) => name.startsWith("_"))) return calls;
  const tools = ask<ToolInfo[]>(() => core.tools());
  const names = new Map(tools.map(({ name, googleName }) => [googleName ?? name, name]));
  return calls.map((call) => ({ ...call, name: names.get(call.name) ?? call.name }));
}

function keyOf({ server, name }: ToolIdentity): string {
  return JSON.stringify([server, name]);
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const all = new Set(others);
  return [...new Set(names)].filter((name) => !all.has(name));
}

/** Whether a tool is held back, told by the list of all tools where the settings alone do not say it. */
function holder(core: Core, id: string, opening: number, { activation }: SettingsInfo): (name: string) => boolean {
  let held: Set<string> | undefined;
  return (name) => {
    if (activation === "on") return true;
    held ??= new Set(
      ask<ToolInfo[]>(() => core.sessionTools(id, opening))
        .filter(({ state }) => state === "deferred" || state === "revealed")
        .map((tool) => tool.name),
    );
    return held.has(name);
  };
}

/** Reveals that are weighed: each costs more than the one before, and no conversation that a model reads holds so many. */
const MOST_WEIGHED = 1_000;

/** Names that are tried one by one, before all that there are are listed. */
const FEW = 1_000;

class Replay {
  /** What is revealed by now, in its order. */
  #told = new Map<string, Told>();
  #weighed = 0;
  readonly #meanings = new Map<string, Meaning>();
  #names: ReadonlySet<string> | undefined;
  readonly #everLoaded = new Set<string>();

  constructor(
    readonly core: Core,
    readonly id: string,
    readonly opening: number,
    readonly before: Snapshot,
    readonly settings: SettingsInfo,
    readonly steps: number,
  ) {}

  /** Goes through the traces; returns the names that were loaded then and cannot be now. */
  play(traces: readonly Trace[]): string[] {
    const missing = traces.filter((trace) => !this.#follow(trace)).flatMap(({ names }) => names.slice(-1));
    this.#settle([...this.#told.values()]);
    return missing;
  }

  /** Follows one trace, and says whether what it says holds. */
  #follow({ kind, names, step }: Trace): boolean {
    const known = names.find((name) => this.#meaning(name) !== "unknown");
    const meaning = known === undefined ? "unknown" : this.#meaning(known);
    if (typeof meaning === "string") return meaning === "eager" || kind === "ran" || kind === "used";
    const key = keyOf(meaning);
    const told = this.#told.get(key);
    if (told !== undefined) {
      if (kind !== "loaded") told.used = step;
      return true;
    }
    // A tool that made room could still be called until the next request; that does not load it.
    if (kind === "used" || (kind === "ran" && this.#everLoaded.has(key))) return true;
    this.#everLoaded.add(key);
    return this.#load({ ...meaning, used: step });
  }

  /** Reveals one more, if there is room for it or room can be made, as the core does. */
  #load(one: Told): boolean {
    const { revealed, revealedTokens, whenFull } = this.settings.limits;
    const going = revealedTokens === null ? this.#beyond(revealed) : this.#tooHeavy(one);
    if (going.some(({ used }) => whenFull === "refuse" || used === one.used)) return false;
    for (const told of going) this.#told.delete(keyOf(told));
    this.#told.set(keyOf(one), one);
    return true;
  }

  /** What has to go for one more where only tools are counted: what was used the longest ago, and revealed first of those. */
  #beyond(most: number): Told[] {
    if (this.#told.size < most) return [];
    return [[...this.#told.values()].reduce((oldest, told) => (told.used < oldest.used ? told : oldest))];
  }

  /** What has to go for a tool where tokens are counted too, which only the core can do; that tool itself, if nothing helps. */
  #tooHeavy(one: Told): Told[] {
    this.#weighed += 1;
    if (this.#weighed > MOST_WEIGHED) return [one];
    const next = [...this.#told.values(), one];
    const left = new Set(this.#settle(next).map(keyOf));
    return next.filter((told) => !left.has(keyOf(told)));
  }

  /** What of some reveals the core lets the session hold. */
  #settle(revealed: Told[]): Told[] {
    const turn = Math.max(this.before.turn, this.steps);
    const written = JSON.stringify({ ...this.before, turn, revealed });
    ask(() => this.core.restore(written, { replace: true }));
    return ask<Snapshot>(() => this.core.snapshot(this.id, this.opening)).revealed;
  }

  /**
   * What a name means, found out by revealing it in the emptied session: the list of all tools would say what is unknown
   * too, but takes longer than everything else here, unless there are a great many names.
   */
  #meaning(name: string): Meaning {
    const known = this.#meanings.get(name);
    if (known !== undefined) return known;
    if (this.#meanings.size >= FEW) {
      this.#names ??= new Set(ask<ToolInfo[]>(() => this.core.tools()).map((tool) => tool.name));
      if (!this.#names.has(name)) return "unknown";
    }
    const meaning = this.#tried(name);
    this.#meanings.set(name, meaning);
    return meaning;
  }

  #tried(name: string): Meaning {
    this.#settle([]);
    try {
      const [revealed] = ask<string[]>(() => this.core.reveal(this.id, this.opening, [name]));
      if (revealed === undefined) return "eager";
    } catch (error) {
      return ToolSiftError.is(error) && error.code === "tool_unknown" ? "unknown" : "refused";
    }
    const [told] = ask<Snapshot>(() => this.core.snapshot(this.id, this.opening)).revealed;
    return told === undefined ? "refused" : { server: told.server, name: told.name };
  }
}
