/** Makes a catalog for each tool list of requests. An unchanged list is recognised by its text, without parsing. */

import { ToolSift } from "toolsift:self";
import type { ToolSift as Sift } from "../index.js";
import { ToolSiftError } from "../base/errors.js";
import { wordsOf } from "../author/background/load.js";
import { RecentCatalogs } from "../hop/hop.js";
import type { BackgroundOptions, WordsStatus } from "../types/background.js";
import type { Enrichment, ToolSiftOptions } from "../types/index.js";
import type { Skip } from "./json-text.js";
import type { ListedTool, Wire } from "./wire.js";

/** The maximum length of all stored lists together, in characters: about a hundred large catalogs. */
const MOST_CHARS = 268_435_456;

/** The key of the tools in a body, in all APIs. */
export const TOOLS = "tools";

/** One list of tools, parsed and indexed. */
export interface Catalog {
  readonly wire: Wire;
  /** The text of the list. */
  readonly text: string;
  /** The names of tools that the request wants never to be deferred, with commas between them. */
  readonly never: string;
  readonly sift: Sift;
  /** The names of all tools, by which a conversation is recognised. */
  readonly names: string;
  /** The client's tools that can be deferred, by name. */
  readonly searched: ReadonlyMap<string, { text: string; definition: object }>;
  /** True if a tool that ends the run, or that a person has named, is sent in full from the start. */
  readonly endsRuns: boolean;
  /** The tools that are always sent. */
  readonly always: readonly ListedTool[];
  /** The last cache breakpoint among the tools that can be deferred. */
  readonly breakpoint: string | undefined;
  /** The search words for the tools; more are added while they are written. Catalogs of the same list share this object. */
  readonly words: { entries: readonly Enrichment[] };
}

interface MadeCatalog extends Catalog {
  /** The search words with which its tools were registered. */
  had: readonly Enrichment[];
}

/** The settings for writing search words, and the receivers of reports about them. */
export interface Words {
  enrich: BackgroundOptions | undefined;
  tell(status: WordsStatus): void;
  failed(error: unknown): void;
}

/** Makes catalogs, and keeps the most recently used ones. */
export class Catalogs {
  readonly #options: ToolSiftOptions;
  readonly #words: Words;
  readonly #kept: RecentCatalogs<MadeCatalog>;

  constructor(options: ToolSiftOptions, most: number, words: Words) {
    this.#options = options;
    this.#words = words;
    this.#kept = new RecentCatalogs(most, MOST_CHARS);
  }

  /** Returns a function that recognises a known tool list in a body, so that the list need not be parsed. */
  known(wire: Wire): Skip {
    return (key, text, at) => {
      if (key !== TOOLS) return undefined;
      const found = this.#kept.find((one) => one.wire === wire && text.slice(at, at + one.text.length) === one.text);
      return found === undefined ? undefined : at + found.text.length;
    };
  }

  /** Checks if a tool list is known and has no tools of the vendor's own tool search, which are never deferred. */
  isPlain(wire: Wire, text: string | undefined): boolean {
    const known = this.#kept.find((one) => one.wire === wire && one.text === text);
    return known?.always.every((tool) => !tool.text.includes('"namespace"')) ?? false;
  }

  /**
   * Returns the catalog of a list, which the caller releases after use; undefined for a value that is not a list, and for a
   * list without a tool that can be deferred.
   *
   * @param never names of tools that are never deferred, with commas between them
   * @throws ToolSiftError as the constructor of `ToolSift`; `name_reserved` for a tool that has the name of a discovery tool
   */
  use(wire: Wire, text: string, never: string): { catalog: Catalog; release: () => void } | undefined {
    const known = this.#kept.find((one) => one.wire === wire && one.text === text && one.never === never);
    const isFresh = known !== undefined && known.had === known.words.entries;
    const catalog = isFresh ? known : this.#made(wire, text, never, known?.words);
    if (catalog === undefined) return undefined;
    if (known !== undefined && !isFresh) this.#kept.drop(known);
    return { catalog, release: this.#kept.use(catalog) };
  }

  /** Starts writing the search words of tools. Returns an object with none at first, which is updated later. */
  #written(tools: object[]): Catalog["words"] {
    const words: Catalog["words"] = { entries: [] };
    const { enrich, tell, failed } = this.#words;
    const take = (entries: Enrichment[], status: WordsStatus) => {
      if (entries.length > words.entries.length) words.entries = entries;
      tell(status);
    };
    wordsOf(enrich)
      .then((background) => background?.follow(tools, take))
      .catch(failed);
    return words;
  }

  #made(wire: Wire, given: string, never: string, before?: Catalog["words"]): MadeCatalog | undefined {
    // A substring keeps the whole string in memory, here the body of a request. So the text is copied.
    const text = new TextDecoder().decode(new TextEncoder().encode(given));
    const listed = wire.toolsIn(text);
    const deferrable = listed?.filter(({ name, definition }) => name !== undefined && definition !== undefined) ?? [];
    if (listed === undefined || deferrable.length === 0) return undefined;
    const { alwaysAvailable = [] } = this.#options;
    const controls = deferrable.flatMap(({ name }) => (isControl(name!) ? [name!] : []));
    const eager = [
      ...alwaysAvailable,
      ...never
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
      ...controls,
    ];
    const sift = new ToolSift({ ...this.#options, alwaysAvailable: eager });
    try {
      const definitions = deferrable.map(({ definition }) => definition!);
      const words = before ?? this.#written(definitions);
      const had = words.entries;
      const refused = registered(sift, definitions, had);
      const taken = deferrable.filter(({ name }) => !refused.has(name!));
      const found = new Set(taken);
      const searched = new Map(taken.map(({ name, text, definition }) => [name!, { text, definition: definition! }]));
      const always = listed.filter((tool) => !found.has(tool));
      const breakpoint = taken.flatMap((tool) => tool.breakpoint ?? []).at(-1);
      const endsRuns = eager.some((name) => searched.has(name));
      const names = listed
        .flatMap(({ name }) => name ?? [])
        .sort()
        .join(" ");
      return { wire, text, never, sift, names, searched, endsRuns, always, breakpoint, words, had };
    } catch (error) {
      sift.dispose();
      throw error;
    }
  }
}

/** Registers the tools. Returns the names of refused tools, which are sent unchanged: the upstream decides about them. */
function registered(sift: Sift, definitions: object[], enrichment: readonly Enrichment[]): Set<string> {
  const { rejected } = sift.register(definitions as Parameters<Sift["register"]>[0], { enrichment });
  const clash = rejected.find(({ code }) => code === "name_reserved");
  if (clash !== undefined) throw new ToolSiftError(clash.code, clash.message);
  const refused = new Set(rejected.map(({ name }) => name));
  // Of two tools with the same name the core registers the first. Both are removed, because the upstream must refuse them.
  const twice = sift
    .tools()
    .filter(({ name }) => refused.has(name))
    .map(({ name }) => name);
  if (twice.length > 0) sift.unregister({ names: twice });
  return refused;
}

/**
 * Matches the names that frameworks give to tools that end a run or hand it over: `final_result` (Pydantic AI),
 * `final_answer` (smolagents), `transfer_to_…` and `handoff…` (OpenAI Agents, AutoGen, LangGraph, LlamaIndex, Strands),
 * `delegate_…` and `ask_question_to_coworker` (CrewAI), `exit_loop` and `set_model_response` (ADK), `attempt_completion`
 * (Cline), `finish` (OpenHands), `submit` (SWE-agent).
 */
const NAMES =
  /^(final_(result|answer)(_.+)?|transfer_(back_)?to_.+|hand_?off(_.+)?|delegate_(work_)?to_.+|ask_question_to_coworker|exit_loop|set_model_response|attempt_completion|finish|submit)$/i;

/** Checks by its name if a tool ends a run or hands it over. */
const isControl = (name: string): boolean => NAMES.test(name);
