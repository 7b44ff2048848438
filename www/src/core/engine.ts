/**
 * Plays a request as `toolsift()` would with these tools: with its default settings, the words of packs, and a search for
 * the user's message before the first request. No model runs here. Instead, the engine searches with the user's words and
 * takes the best hit.
 */
import { ToolSift, ToolSiftError, type HitPart, type Outcome, type Session, type ToolDefinition } from "toolsift";
import { isRecord, type JsonRecord, pretty } from "../model/json.ts";
import { count, plural } from "../model/numbers.ts";
import type { Call, Catalog, Found, List, Play, Sent, Server } from "./types.ts";

const FORMAT = "openai";
/** The number of hits that the page shows. */
const HITS = 6;
/** Names that vendors refuse are replaced by safe names, as for every MCP server of `toolsift()`. */
const NAMES = "alias";

/** The texts that each step of the newest play sent. */
type Opened = [Sent[], Sent[], Sent[], Sent[]];

export class Engine {
  #sift = new ToolSift();
  #catalog: Catalog = { own: false, servers: [], full: 0, first: 0 };
  #definitions = new Map<string, { server: string; definition: ToolDefinition | undefined }>();
  #opened: Opened = [[], [], [], []];

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Replaces the tools by those of the lists, and sets the translations from everyday words. */
  open(lists: readonly List[], own: boolean, translations = ""): Catalog {
    this.#sift.dispose();
    this.#sift = new ToolSift({ translations });
    // A second catalog without deferred tools, to measure each tool's size in a request.
    const whole = new ToolSift({ activation: "off" });
    const servers = lists.map(({ server, start, known, tools, words }): Server => {
      whole.register(tools, { server, names: NAMES });
      const { registered, rejected } = this.#sift.register(tools, {
        server,
        names: NAMES,
        ...(words && { enrichment: words }),
      });
      const named = registered.map((name) => ({ name, chars: 0 }));
      return { server, start, known, tools: named, rejected: rejected.map(({ message }) => message) };
    });
    const all = whole.session("whole").assemble({ format: FORMAT });
    const sizes = new Map(all.tools.map((entry) => [nameOf(entry), [...JSON.stringify(entry)].length]));
    whole.dispose();
    for (const { tools } of servers) for (const tool of tools) tool.chars = sizes.get(tool.name) ?? 0;
    this.#definitions = new Map();
    const given = new Map(lists.map(({ server, tools }) => [server, new Map(tools.map((tool) => [nameOf(tool), tool]))]));
    for (const { name, originalName, server } of this.#sift.tools()) {
      this.#definitions.set(name, { server: server ?? "", definition: given.get(server ?? "")?.get(originalName) });
    }
    const { full, request } = this.#session().assemble({ format: FORMAT }).size;
    this.#catalog = { own, servers, full: full.tokens, first: request.tokens };
    return this.#catalog;
  }

  /** Plays a request. `shared` is the result when the link was made, at which time the definitions were known. */
  play(query: string, shared: Found | null = null): Play {
    const session = this.#session();
    const search = this.#sift.search(query, { limit: HITS });
    const ahead = shared === null ? session.prefetch(query) : shared.ahead ? session.reveal(shared.loaded) : [];
    const found: Found = shared ?? {
      confidence: search.confidence ?? "none",
      hits: search.hits
        .map(({ name, score }) => ({ name, score, server: this.#serverOf(name) }))
        .toSorted((one, other) => other.score - one.score),
      loaded: ahead,
      ahead: ahead.length > 0,
    };
    const user = { title: "What the user says", bytes: null, text: query };
    this.#opened = [[user], [], [], []];
    const first = session.assemble({ format: FORMAT });
    const { active } = first;
    const request = this.#requestOf(first);
    let tokens = [first.size.request.tokens, first.size.request.tokens];
    let picked = false;
    let { loaded } = found;
    if (found.ahead || !active) {
      if (active) tokens = [this.#catalog.first, this.#catalog.first];
      this.#opened[2] = request;
    } else {
      this.#opened[0].push(...request);
      const searched = this.#ask(session, "search_tools", { query });
      loaded = shared ? session.reveal(shared.loaded) : revealedBy(searched);
      const [best] = withheldBy(searched) ?? found.hits.map(({ name }) => name);
      if (loaded.length === 0 && best !== undefined && found.confidence === "high") {
        picked = true;
        loaded = revealedBy(this.#ask(session, "add_tool", { tool_names: [best] }));
      }
    }
    const last = session.assemble({ format: FORMAT });
    if (!found.ahead && active && loaded.length > 0) this.#opened[2] = this.#requestOf(last);
    const after = last.size.request.tokens;
    const called = found.hits.find(({ name }) => !active || loaded.includes(name))?.name ?? loaded[0];
    const call = called === undefined || found.confidence !== "high" ? null : this.#call(session, called);
    return {
      ...found,
      query,
      active,
      loaded,
      picked,
      call,
      unknown: shared ? [] : (search.unknownWords ?? []),
      tokens: [...tokens, after, after],
    };
  }

  /** Returns the texts that a step of the newest play sent. */
  opened(step: number): Sent[] {
    return this.#opened[step] ?? [];
  }

  /** Returns the reasons why a request finds a tool: the parts of its score. */
  why(query: string, name: string): HitPart[] {
    return this.#sift.explain(query, name).parts;
  }

  #session(): Session {
    this.#sift.closeSession("page");
    return this.#sift.session("page");
  }

  #serverOf(name: string): string {
    return this.#definitions.get(name)?.server ?? "";
  }

  /** Calls a discovery tool as the model would. */
  #ask(session: Session, name: string, args: JsonRecord): Outcome {
    const outcome = session.call(name, args);
    const text = outcome.kind === "result" ? outcome.content : JSON.stringify(outcome);
    this.#opened[1].push({ title: `The model calls ${name}`, bytes: null, text: pretty(args) });
    this.#opened[1].push({ title: "The answer that it reads", bytes: sizeOf(text), text });
    return outcome;
  }

  #call(session: Session, name: string): Call {
    const server = this.#serverOf(name);
    const args = argumentsFor(this.#definitions.get(name)?.definition);
    const outcome = calledBy(session, name, args);
    const line = `${name}(${Object.keys(args).join(", ")})`;
    const refused =
      outcome.kind === "dispatch" ? null : outcome.kind === "refused" ? outcome.error.message : outcome.content;
    const title = refused === null ? `toolsift hands the call to ${server}` : "toolsift refuses the call";
    this.#opened[3] = [{ title, bytes: null, text: pretty(outcome) }];
    return { name, server, line, refused };
  }

  /** Returns a request as it is sent. For a tool with only a name and a size, no definition is shown. */
  #requestOf({ tools, systemPrompt, size }: ReturnType<Session["assemble"]>): Sent[] {
    const unknown = new Set(
      this.#catalog.servers
        .filter(({ known }) => known !== "definitions")
        .flatMap((one) => one.tools.map(({ name }) => name)),
    );
    const shown = tools.map((tool) => {
      const name = nameOf(tool);
      return unknown.has(name) ? { name, definition: "not known here: only its size is" } : tool;
    });
    const { request, full } = size;
    const prompt = { title: "In the system prompt", bytes: sizeOf(systemPrompt), text: systemPrompt };
    const title = `The request: ${plural(request.tools, "tool")} instead of ${count(full.tools)}`;
    const sent = { title, bytes: request.bytes - (systemPrompt === "" ? 0 : prompt.bytes), text: pretty(shown) };
    return systemPrompt === "" ? [sent] : [prompt, sent];
  }
}

/** Makes a definition of a given size for a tool with only a known name and size. */
export function placeholder(name: string, chars: number): ToolDefinition {
  const sent = { type: "function", function: { name, description: "", parameters: { type: "object" } } };
  const missing = Math.max(0, chars - JSON.stringify(sent).length);
  return { name, description: ".".repeat(missing), inputSchema: { type: "object" } };
}

function nameOf(entry: unknown): string {
  const tool = isRecord(entry) && isRecord(entry["function"]) ? entry["function"] : entry;
  return isRecord(tool) ? String(tool["name"]) : "";
}

function revealedBy(outcome: Outcome): string[] {
  return outcome.kind === "result" ? outcome.revealed : [];
}

function withheldBy(outcome: Outcome): string[] | undefined {
  return outcome.kind === "result" ? outcome.withheld : undefined;
}

function calledBy(session: Session, name: string, args: JsonRecord): Outcome {
  try {
    return session.call(name, args);
  } catch (error) {
    if (!(error instanceof ToolSiftError)) throw error;
    return { kind: "refused", error: { code: error.code, message: error.message } };
  }
}

const EXAMPLES: JsonRecord = { string: "…", number: 1, integer: 1, boolean: true, array: [], object: {} };

/** Returns the required parameters of a tool, each with an example value of its type. */
function argumentsFor(definition: ToolDefinition | undefined): JsonRecord {
  const schema = isRecord(definition) ? (definition as JsonRecord)["inputSchema"] : null;
  if (!isRecord(schema) || !Array.isArray(schema["required"])) return {};
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const example = (name: unknown) => {
    const property = properties[String(name)];
    return [name, EXAMPLES[isRecord(property) ? String(property["type"]) : ""] ?? "…"];
  };
  return Object.fromEntries(schema["required"].map(example));
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
