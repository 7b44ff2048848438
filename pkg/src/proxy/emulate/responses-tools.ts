/** The tools of a Responses request that uses tool search, and their names before a backend that knows functions alone. */

import { type Fields, objectsIn, textIn } from "../../wire/fields.js";
import { keyOf, named } from "../../wire/openai-responses.js";
import { backendTool } from "./shared.js";

/** One function, or one custom tool. */
export interface DeferredFunction {
  /** Its name before the backend: namespaces have none there. */
  backend: string;
  name: string;
  /** The namespace that holds it. */
  namespace: string | undefined;
  /** The tools as the client wrote them. */
  tool: Fields;
  deferred: boolean;
}

const NAME_CHARS = 64;

/** Tools by both of their names. */
export class Tools {
  readonly #entries = new Map<string, DeferredFunction>();
  readonly #byBackend = new Map<string, DeferredFunction>();
  /** The number that a name gets the next time it is taken. */
  readonly #numbers = new Map<string, number>();
  readonly #namespaces = new Map<string, Fields>();
  /** The tools that are neither functions nor in a namespace. */
  readonly others: Fields[] = [];

  /** Takes tools as a client lists them. Returns the entries, those known before included. */
  add(tools: unknown): DeferredFunction[] {
    return objectsIn(tools).flatMap((tool) => {
      if (tool["type"] === "namespace") {
        const namespace = String(tool["name"]);
        this.#namespaces.set(namespace, tool);
        return objectsIn(tool["tools"]).map((inner) => this.#entry(inner, namespace));
      }
      if (tool["type"] === "function" || tool["defer_loading"] === true) return [this.#entry(tool, undefined)];
      this.others.push(backendTool(tool));
      return [];
    });
  }

  get all(): DeferredFunction[] {
    return [...this.#entries.values()];
  }

  named(name: unknown, namespace: unknown): DeferredFunction | undefined {
    const exact = this.#entries.get(keyOf({ name: String(name), namespace: textIn(namespace) }));
    return exact ?? this.#entries.get(keyOf(named({ name: String(name), namespace })));
  }

  behind(name: unknown): DeferredFunction | undefined {
    return this.#byBackend.get(name as string);
  }

  /** Tools as the client wrote them: those of a namespace within it. */
  shown(entries: readonly DeferredFunction[]): Fields[] {
    const groups = new Map<string, DeferredFunction[]>();
    for (const entry of entries) {
      const key = entry.namespace ?? keyOf(entry);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else group.push(entry);
    }
    return [...groups.values()].map((group) => {
      const { namespace, tool } = group[0]!;
      if (namespace === undefined) return tool;
      return { ...this.#namespaces.get(namespace), tools: group.map((entry) => entry.tool) };
    });
  }

  /** What the model is told of what it can search for: namespaces, and functions that stand by themselves. */
  get searchable(): string[] {
    const deferred = this.all.filter((entry) => entry.deferred);
    const namespaces = new Set(deferred.flatMap(({ namespace }) => namespace ?? []));
    const about = [...namespaces].map((name) => lineOf(name, this.#namespaces.get(name)?.["description"]));
    const alone = deferred.filter(({ namespace }) => namespace === undefined);
    return [...about, ...alone.map(({ name, tool }) => lineOf(name, tool["description"]))];
  }

  #entry(tool: Fields, namespace: string | undefined): DeferredFunction {
    const name = String(tool["name"]);
    const key = keyOf({ name, namespace });
    const known = this.#entries.get(key);
    // What the client lists now comes before what the conversation has loaded.
    if (known !== undefined) return known;
    const deferred = tool["defer_loading"] === true;
    const entry = { backend: this.#free(name, namespace), name, namespace, tool, deferred };
    this.#entries.set(key, entry);
    this.#byBackend.set(entry.backend, entry);
    return entry;
  }

  #free(name: string, namespace: string | undefined): string {
    if (namespace === undefined || !this.#byBackend.has(name)) return name;
    const long = `${namespace}__${name}`.slice(-NAME_CHARS);
    let tried = long;
    while (this.#byBackend.has(tried)) {
      const number = this.#numbers.get(long) ?? 2;
      this.#numbers.set(long, number + 1);
      tried = `${long.slice(0, NAME_CHARS - `_${number}`.length)}_${number}`;
    }
    return tried;
  }
}

/** Characters of a description: what to search for, not how to call. */
const LINE_CHARS = 100;

function lineOf(name: string, description: unknown): string {
  const text = (textIn(description) ?? "").split("\n")[0]!.slice(0, LINE_CHARS);
  return text === "" ? `- ${name}` : `- ${name}: ${text}`;
}
