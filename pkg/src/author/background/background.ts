/** Lets a model write search words while a program runs: server after server, each definition once, within limits. */

import { hashOf, hashedText } from "../../packs/definition-hash.js";
import { withPacks } from "../../packs/with-packs.js";
import { definitionsOf } from "../../packs/definitions.js";
import type { BackgroundOptions, WordsStatus, EnrichRequest } from "../../types/background.js";
import type { Enrichment } from "../../types/index.js";
import { parsed, reasonOf, kind } from "../../base/values.js";
import { enrich } from "../enrich/enrich.js";
import { entriesOf } from "../enrich/file.js";
import { tokensOf } from "../enrich/tokens.js";
import { type Complete, languagesOf } from "../enrich/options.js";
import { completeWith } from "../endpoint.js";
import { oneOf } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import { type Shape, shaped, wholeOf, withMethods } from "../../base/shape.js";

const MAX_BUDGET = 1_000_000_000;
const DEFAULT = {
  languages: ["en"] as readonly string[],
  maxTools: 1_000,
  maxTokens: 1_000_000,
  maxMs: 3_600_000,
};

const OPTIONS: Shape<BackgroundOptions> = {
  model: aModel,
  languages: (_, value) => void languagesOf(value),
  store: withMethods("a storage", "getItem", "setItem"),
  maxTools: wholeOf(0, MAX_BUDGET),
  maxTokens: wholeOf(0, MAX_BUDGET),
  maxMs: wholeOf(0, MAX_BUDGET),
};

type BackgroundSettings = Pick<BackgroundOptions, "model" | "store"> & typeof DEFAULT;

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range` */
function settingsOf(options: unknown): BackgroundSettings {
  const valid = shaped<BackgroundOptions>(options, OPTIONS, "options.enrich");
  if (valid.model === undefined) throw new ToolSiftError("option_invalid", "options.enrich has no model");
  return { ...DEFAULT, ...(valid as BackgroundSettings) };
}

function aModel(_: string, value: unknown): void {
  const { doGenerate, baseURL, model, apiKey, api } = Object(value) as Record<string, unknown>;
  if (typeof value === "function" || typeof doGenerate === "function") return;
  if (typeof baseURL !== "string" || typeof model !== "string" || !URL.canParse(baseURL)) {
    const help = "it must be a model of AI SDK, a function, or { baseURL, model }";
    throw new ToolSiftError("option_invalid", `options.enrich.model is ${kind(value)}; ${help}`);
  }
  oneOf("enrich.model.api", api, ["openai", "anthropic"]);
  const { protocol, hostname } = new URL(baseURL);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (apiKey === undefined || protocol === "https:" || isHere) return;
  throw new ToolSiftError("option_invalid", `options.enrich.model would send its key to ${hostname} unencrypted; use https`);
}

/** The prefix of the key of each record in the store; the definition's hash follows it. */
const PREFIX = "toolsift:words:";
const REASON_CHARS = 300;
const NOTHING = { kept: 0, written: 0, isWriting: false, failed: [], error: null };

/** The tools of one server, or of a list without a server. */
export interface Job {
  server?: string;
  tools: readonly object[];
  /** Words that these tools already have, in the form of the option `enrichment`. */
  enrichment: string | readonly Enrichment[] | undefined;
  signal: AbortSignal;
  /** Receives all entries that were written so far, after each answer of the model. */
  tell(entries: Enrichment[], status: WordsStatus): unknown;
}

export class Background {
  readonly #options: BackgroundSettings;
  readonly #model: ReturnType<typeof functionOf>;
  /** The hashes of definitions for which words were requested. They are not requested again. */
  readonly #asked = new Set<string>();
  /** The words that were written in this process, by the hash of the definition. */
  readonly #written = new Map<string, Enrichment>();
  readonly #tokens = { input: 0, output: 0 };
  #tools = 0;
  #begun: number | undefined;
  #queue: Promise<void> = Promise.resolve();

  /** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range` */
  constructor(options: BackgroundOptions) {
    this.#options = settingsOf(options);
    this.#model = functionOf(this.#options.model);
  }

  /** Returns the words that were written for some tools, here or in the store. Records that cannot be read are skipped. */
  async known(tools: readonly object[]): Promise<Enrichment[]> {
    const { store } = this.#options;
    const hashes = new Set(definitionsOf(tools).map(hashOfDefinition));
    const read = async (hash: string) => {
      const own = this.#written.get(hash);
      if (own !== undefined) return [own];
      const value = await store?.getItem(PREFIX + hash);
      const entry = typeof value === "string" ? parsed(value) : value;
      return Object(entry).hash === hash ? entriesOf("the record", [entry]) : [];
    };
    const found = await Promise.allSettled([...hashes].map(read));
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  }

  /**
   * Reports the words for a list without a server: first those of packs and known ones, then those that the model writes.
   * Each report has all words so far.
   */
  async follow(tools: readonly object[], tellHost: Job["tell"]): Promise<void> {
    const { enrichment } = await withPacks(tools, await this.known(tools));
    const before = entriesOf("the words of packs", enrichment);
    const tell: Job["tell"] = (entries, status) => tellHost([...before, ...entries], { ...status, kept: before.length });
    if (before.length > 0) tell([], { ...NOTHING, tokens: { ...this.#tokens } });
    this.write({ tools, enrichment: before, signal: new AbortController().signal, tell });
  }

  /** Requests the words of tools that have none, after earlier requests. It does not throw. */
  write(job: Job): void {
    this.#queue = this.#queue.then(() => this.#write(job)).catch(() => {});
  }

  async #write({ server, tools, enrichment, signal, tell }: Job): Promise<void> {
    const previous = entriesOf("enrichment", enrichment ?? []);
    const had = new Set(previous.map(({ hash }) => hash));
    const open = new Map<string, object>();
    for (const tool of tools) {
      const [definition] = definitionsOf([tool]);
      const hash = definition === undefined ? undefined : hashOfDefinition(definition);
      if (hash !== undefined && !had.has(hash) && !this.#asked.has(hash)) open.set(hash, tool);
    }
    const status: WordsStatus = { ...NOTHING, isWriting: true, tokens: this.#tokens };
    const words = new Map<string, Enrichment>();
    const report = (change: Partial<WordsStatus>) => {
      Object.assign(status, change, { written: words.size, tokens: { ...this.#tokens } });
      if (!signal.aborted) tell([...words.values()], { ...status });
    };
    if (open.size === 0 || signal.aborted) return;
    for (const hash of open.keys()) this.#asked.add(hash);
    const ending = new AbortController();
    const take = async (entries: readonly Enrichment[]) => {
      const fresh = entries.filter(({ hash }) => hash !== undefined && !had.has(hash) && !words.has(hash));
      for (const entry of fresh) {
        words.set(entry.hash!, entry);
        this.#written.set(entry.hash!, entry);
      }
      await Promise.allSettled(
        fresh.map(async (entry) => this.#options.store?.setItem(PREFIX + entry.hash!, JSON.stringify(entry))),
      );
      if (fresh.length > 0) report({});
    };
    try {
      const { entries, failed } = await enrich([...open.values()] as never, {
        complete: this.#bounded(ending),
        previous,
        ...(server !== undefined && { server }),
        languages: this.#options.languages,
        concurrency: 1,
        signal: AbortSignal.any([signal, ending.signal]),
        onProgress: ({ entries }) => take(entries),
      });
      await take(entries);
      report({ isWriting: false, failed: failed.map(({ name, reason }) => ({ name, reason })) });
    } catch (error) {
      // Words that were not written may be requested again for a later list.
      if (signal.aborted) for (const hash of open.keys()) if (!words.has(hash)) this.#asked.delete(hash);
      report({ isWriting: false, error: reasonOf(error).slice(0, REASON_CHARS) });
    }
  }

  /** Returns the model with limits. When a limit is reached, nothing more is requested. */
  #bounded(ending: AbortController): Complete {
    return async ({ system, prompt, tools, attempt, maxTokens, signal }) => {
      const { maxTools, maxTokens: mostTokens, maxMs } = this.#options;
      this.#begun ??= performance.now();
      if (attempt === 1) this.#tools += tools.length;
      this.#tokens.input += tokensOf(system) + tokensOf(prompt);
      const { input, output } = this.#tokens;
      const reached =
        (this.#tools > maxTools && `the bound of ${maxTools} tools`) ||
        (input + output > mostTokens && `the bound of ${mostTokens} tokens`) ||
        (performance.now() - this.#begun > maxMs && `the bound of ${maxMs} ms`);
      if (reached) {
        ending.abort(new Error(`${reached} is reached`));
        throw ending.signal.reason;
      }
      const text = await this.#model({ system, prompt, maxTokens, signal: signal as AbortSignal });
      this.#tokens.output += tokensOf(String(text));
      return text;
    };
  }
}

const hashOfDefinition = ({ name, description }: { name: string; description: string }) =>
  hashOf(name, hashedText(description));

function functionOf(model: BackgroundOptions["model"]): (request: EnrichRequest) => Promise<string> | string {
  if (typeof model === "function") return model;
  if (!("doGenerate" in model)) return completeWith(model);
  return async ({ system, prompt, maxTokens, signal }) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ];
    const { content } = await model.doGenerate({ prompt: messages, maxOutputTokens: maxTokens, abortSignal: signal });
    return content.flatMap((part) => (part.type === "text" ? String(Object(part)["text"]) : [])).join("");
  };
}
