/**
 * Lists of servers as they are at one time, and what is made of them: a `ToolSift` under any settings, and definitions by
 * name. Other lists are another catalog.
 */
import { ToolSift, ToolSiftError, type ToolSiftOptions } from "toolsift";
import type { ProfileTable, Settings } from "../model/settings.ts";
import { wireTools, type WireTool } from "../model/wire.ts";
import { discoveryNames, type Rules } from "./conversation.ts";
import { register, type List } from "./lists.ts";
import { coreOptions, counterOf } from "./tokenizer.ts";

export class Catalog {
  readonly #lists: readonly List[];
  readonly #definitions = new Map<string, Map<string, WireTool>>();
  /** What others are built from, faster than from the lists. */
  #index: Uint8Array | null = null;

  constructor(lists: readonly List[]) {
    this.#lists = lists;
  }

  /** Whether `build` is fast. */
  get indexed(): boolean {
    return this.#index !== null;
  }

  /** Keeps the index of a `ToolSift` that was built here. */
  index(sift: ToolSift): void {
    this.#index ??= sift.exportIndex();
  }

  /** The caller disposes of it. */
  build(settings: Settings, more: ToolSiftOptions = {}): ToolSift {
    const options = { ...coreOptions(settings), ...more };
    const fast = this.#index && fromIndex(this.#index, options);
    if (fast) return fast;
    const sift = new ToolSift(options);
    try {
      for (const list of this.#lists) register(sift, list);
    } catch (error) {
      sift.dispose();
      throw error;
    }
    return sift;
  }

  /** What a conversation over these tools is played with. */
  rules(sift: ToolSift, settings: Settings, profiles: ProfileTable): Rules {
    return {
      sift,
      surface: sift.settings.surface,
      format: settings.format,
      count: counterOf(settings),
      servers: this.#lists.map((list) => list.server),
      discovery: discoveryNames(profiles),
      schemaOf: ({ server, originalName }) => this.definition(server, originalName)?.schema ?? {},
    };
  }

  /** A tool's definition as its server sent it. */
  definition(server: string | null, originalName: string): WireTool | null {
    const list = this.#lists.find((row) => row.server === server);
    if (!list) return null;
    let byName = this.#definitions.get(list.server);
    if (!byName) {
      byName = new Map(wireTools(list.tools).map((definition) => [definition.name, definition]));
      this.#definitions.set(list.server, byName);
    }
    return byName.get(originalName) ?? null;
  }
}

/** Null where the index was built for another ranker than these options'. */
function fromIndex(bytes: Uint8Array, options: ToolSiftOptions): ToolSift | null {
  try {
    return ToolSift.fromIndex(bytes, options);
  } catch (error) {
    if (error instanceof ToolSiftError && error.code === "index_stale") return null;
    throw error;
  }
}
