/** Embeds each tool once and queries as they come, and scores tools by how close the two are. */

import { bytes, text } from "../texts.js";
import { requireMethods, callable, signalIn } from "../checks.js";
import { ToolSiftError } from "../errors.js";
import { Recent } from "../recent.js";
import { aFunction, anything, oneNameOf, type Shape, shaped, wholeOf } from "../shape.js";
import type { ToolSift } from "../sift.js";
import type { EmbeddableTool, FusedRanker, RankContext, Scores, Searchable, Signal } from "../types.js";
import { apart, together } from "../vector-section.js";
import { scoresOf } from "./fusion.js";
import { read, write } from "./section.js";
import type { Embed, EmbeddingOptions, EmbeddingSize } from "./types.js";
import { cosine, type QuantizedVector, quantized, unitsOf, Vectors } from "./vectors.js";
import { SharedWork } from "./work.js";

const BATCH = 64;
const MOST_BATCH = 2_048;
const AT_ONCE = 2;
const MOST_AT_ONCE = 64;
const MODEL_CHARS = 200;
const OPTIONS: Shape<EmbeddingOptions> = {
  model: anything,
  embed: aFunction,
  index: anything,
  batch: wholeOf(1, MOST_BATCH),
  concurrency: wholeOf(1, MOST_AT_ONCE),
  rerank: aFunction,
  rerankWhen: oneNameOf("unsure", "always"),
};
/** Queries whose vectors are kept: agents ask again. */
const QUERIES = 256;
/** Characters of a query that are embedded: more than the usual models read. */
const QUERY_CHARS = 8_192;
/** Numbers of tools that are gone may outnumber the others by so many. */
const SPARE = 1_000;

/**
 * Makes a ranker of an embedding model, to be passed as `rank`: to `session.callAsync`, `runTools`, `toolsift()` and every
 * adapter. One serves any number of catalogs and sessions.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`; `index_stale` for vectors of another model,
 * `index_invalid` for an index without vectors, or with damaged ones
 */
export function embeddings(options: EmbeddingOptions): Embeddings {
  return new Embeddings(options);
}

/** A ranker that works with the core's by the vectors of an embedding model; `embeddings` makes it. */
export class Embeddings implements FusedRanker {
  /** The model's name. */
  readonly model: string;
  readonly rerank: FusedRanker["rerank"];
  readonly rerankWhen: FusedRanker["rerankWhen"];
  readonly #embed: Embed;
  readonly #batch: number;
  readonly #atOnce: number;
  readonly #vectors = new Vectors();
  readonly #queries = new Recent<string, Float64Array>(QUERIES);
  /** By catalog and the number of a tool. */
  readonly #tools = new WeakMap<object, Map<number, Tool>>();
  readonly #work = new SharedWork();

  /** @internal */
  constructor(options: EmbeddingOptions) {
    const valid = shaped(options, OPTIONS);
    const { model, embed, index, batch = BATCH, concurrency = AT_ONCE, rerank, rerankWhen } = valid;
    const name = text("options.model", model);
    if (name === "" || name.length > MODEL_CHARS) {
      throw new ToolSiftError("option_invalid", `options.model has ${name.length} characters; 1 to ${MODEL_CHARS}`);
    }
    callable("embed", embed);
    this.model = name;
    this.#embed = embed;
    this.rerank = rerank;
    this.rerankWhen = rerankWhen;
    this.#batch = batch;
    this.#atOnce = concurrency;
    if (index !== undefined) this.#load(bytes("options.index", index));
  }

  /**
   * Embeds the tools of a catalog or session that were not embedded before, so that no search has to. After `sync`, this
   * embeds what changed; the next search would do it, too.
   *
   * @returns how many tools were embedded now
   * @throws ToolSiftError `embedding_failed` where the vectors are not what they must be; what `embed` throws; what `signal`
   * was aborted with. What was embedded before that is kept.
   */
  async prepare(of: Searchable, options: { signal?: Signal } = {}): Promise<number> {
    const signal = signalOf(options);
    const tools = this.#toolsOf(of);
    const missing = new Set(tools.filter(({ hash }) => this.#vectors.get(hash) === undefined).map(({ hash }) => hash)).size;
    await this.#fill(tools, signal);
    return missing;
  }

  /**
   * Scores of the tools that a catalog or session searches, from 0 for the average tool to 1 for the closest. Tools that were
   * not embedded before are embedded first.
   *
   * @throws as `prepare`
   */
  async scores(query: string, of: Searchable, about: Partial<Pick<RankContext, "signal">> = {}): Promise<Scores> {
    const signal = signalOf(about);
    const words = text("query", query).slice(0, QUERY_CHARS);
    // Read before anything is awaited: the session may be closed meanwhile.
    const tools = this.#toolsOf(of);
    if (tools.length === 0) return {};
    await this.#fill(tools, signal);
    const queryVector = await this.#queryVector(words, signal);
    const vectors = tools.flatMap(({ name, hash }) => {
      const vector = this.#vectors.get(hash);
      return vector === undefined ? [] : [{ name, vector }];
    });
    const names = vectors.map(({ name }) => name);
    return scoresOf(
      names,
      Float64Array.from(vectors, ({ vector }) => cosine(vector, queryVector)),
    );
  }

  /**
   * The index of a catalog with the vectors of its tools behind it, for `ToolSift.fromIndex` and for the option `index` of
   * `embeddings`. Tools that were not embedded before are embedded first.
   *
   * @throws as `prepare`, and what `sift.exportIndex` throws
   */
  async exportIndex(sift: ToolSift): Promise<Uint8Array> {
    const tools = this.#toolsOf(sift);
    const index = sift.exportIndex();
    await this.#fill(tools, undefined);
    const vectors = new Map(
      tools.flatMap(({ hash }): [string, QuantizedVector][] => {
        const vector = this.#vectors.get(hash);
        return vector === undefined ? [] : [[hash, vector]];
      }),
    );
    return together(index, write(this.model, this.#vectors.size.dims, vectors));
  }

  /** The size of the tools' vectors. */
  get size(): EmbeddingSize {
    return this.#vectors.size;
  }

  #load(index: Uint8Array): void {
    const { vectors: section } = apart(index);
    if (section === undefined) {
      throw new ToolSiftError(
        "index_invalid",
        "options.index has no vectors, or was cut off; embeddings(…).exportIndex(sift) writes one that has",
      );
    }
    const { head, vectors } = read(section);
    if (head.model !== this.model) {
      const message = `the index has vectors of the model ${JSON.stringify(head.model)}, not of ${JSON.stringify(this.model)}`;
      throw new ToolSiftError("index_stale", `${message}; export it again with this model`);
    }
    if (vectors.size > 0) this.#vectors.keep(vectors, head.dims, new Set(vectors.keys()));
  }

  /** The tools that are searched, with the hashes of their texts. Only texts that are not known are read. */
  #toolsOf(of: Searchable): Tool[] {
    requireMethods("the catalog", of, ["embeddable"], "a ToolSift or a Session");
    const { catalog, ids, texts } = of.embeddable();
    let tools = this.#tools.get(catalog) ?? new Map<number, Tool>();
    if (tools.size > 2 * ids.length + SPARE) {
      const present = new Set(ids);
      tools = new Map([...tools].filter(([id]) => present.has(id)));
    }
    this.#tools.set(catalog, tools);
    const unknown = ids.filter((id) => {
      const tool = tools.get(id);
      // The text of a tool whose vector was lost is read again.
      return tool === undefined || this.#vectors.get(tool.hash) === undefined;
    });
    const read = new Map(unknown.length === 0 ? [] : texts(unknown).map((tool, at) => [unknown[at]!, tool]));
    for (const [id, { name, hash }] of read) tools.set(id, { name, hash });
    return ids.flatMap((id) => read.get(id) ?? tools.get(id) ?? []);
  }

  /** Embeds what has no vector yet. Callers that need tools at the same time wait for the same work. */
  async #fill(tools: readonly Tool[], signal: Signal | undefined): Promise<void> {
    // Only what was just read has its text, and that is what had no vector.
    const read = tools.filter(({ text }) => text !== undefined);
    const missing = () => read.filter(({ hash }) => this.#vectors.get(hash) === undefined);
    for (let left = missing(); left.length > 0; left = missing()) {
      const texts = new Map(left.map(({ hash, text = "" }) => [hash, text]));
      const wanted = new Set(tools.map(({ hash }) => hash));
      await this.#work.wait((own) => this.#embedAll(texts, wanted, own), signal);
    }
  }

  async #embedAll(texts: ReadonlyMap<string, string>, wanted: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const all = [...texts];
    const count = Math.ceil(all.length / this.#batch);
    const batches = Array.from({ length: count }, (_, at) => all.slice(at * this.#batch, (at + 1) * this.#batch));
    const waiting = batches.values();
    const failed = new AbortController();
    const work = async () => {
      for (const batch of waiting) {
        if (signal.aborted || failed.signal.aborted) return;
        const units = await this.#ask(
          batch.map(([, one]) => one),
          "tool",
          signal,
        );
        const vectors = new Map(batch.map(([hash], at): [string, QuantizedVector] => [hash, quantized(units[at]!)]));
        this.#vectors.keep(vectors, units[0]!.length, wanted);
      }
    };
    const workers = Array.from({ length: this.#atOnce }, () => work());
    try {
      await Promise.all(workers);
    } finally {
      // After a failure no further batch is asked for.
      failed.abort();
    }
    signal.throwIfAborted();
  }

  async #queryVector(query: string, signal: Signal | undefined): Promise<Float64Array> {
    const vector = this.#queries.get(query) ?? (await this.#ask([query], "query", signal))[0]!;
    this.#queries.set(query, vector);
    return vector;
  }

  async #ask(texts: readonly string[], what: "tool" | "query", signal: Signal | undefined): Promise<Float64Array[]> {
    const embed = this.#embed;
    const own = signal ?? new AbortController().signal;
    return unitsOf(await embed(texts, { kind: what, signal: own }), texts.length, this.#vectors.size.dims);
  }
}

function signalOf(options: { signal?: Signal | undefined }): Signal | undefined {
  const signal = options?.signal ?? undefined;
  signalIn("options.signal", signal);
  return signal;
}

/** A tool: its name, the hash of its text, and the text where it is not embedded yet. */
type Tool = Pick<EmbeddableTool, "name" | "hash"> & { text?: string };
