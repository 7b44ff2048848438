/**
 * Long work beside the conversation: comparisons of profiles and everything else that builds catalogs of its own. It lives
 * in a worker of its own, so that a search never waits for it. It reads the catalog from the engine, over a channel between
 * the two workers, once per edition.
 */
import { wrap, type Remote } from "comlink";
import { ToolSift, type NamePolicy, type ToolDefinition } from "toolsift";
import type { Step } from "../model/script.ts";
import { optionsOf, profileOf, type ProfileTable, type Settings } from "../model/settings.ts";
import { wireTools, type WireTool } from "../model/wire.ts";
import { Conversation, discoveryNames } from "./conversation.ts";
import type { Engine } from "./engine.ts";
import type { ConversationView } from "./types.ts";

export interface BenchList {
  server: string;
  names: NamePolicy;
  tools: ToolDefinition[];
}

export class Bench {
  #engine: Remote<Engine> | null = null;
  #edition = -1;
  #lists: BenchList[] = [];
  #definitions = new Map<string, Map<string, WireTool>>();

  /** The way to the engine. */
  connect(port: MessagePort): void {
    this.#engine = wrap<Engine>(port);
  }

  /** Plays a script from its start under some settings, on the tools of this edition. */
  async play(edition: number, script: Step[], settings: Settings): Promise<ConversationView> {
    await this.#read(edition);
    const profiles: ProfileTable = { all: ToolSift.profiles(), byDefault: settings.profile };
    const sift = this.sift(settings);
    try {
      const conversation = new Conversation("bench", {
        sift,
        profile: profileOf(profiles, settings.profile),
        format: settings.format,
        servers: this.#lists.map((list) => list.server),
        discovery: discoveryNames(profiles),
        schemaOf: ({ server, originalName }) => this.#definitionOf(server ?? "", originalName)?.schema ?? {},
      });
      for (const step of script) conversation.add(step);
      return conversation.view();
    } finally {
      sift.dispose();
    }
  }

  /** A sift of these settings over the catalog; whoever asks for it disposes of it. */
  sift(settings: Settings): ToolSift {
    const sift = new ToolSift(optionsOf(settings));
    try {
      for (const { server, tools, names } of this.#lists) sift.register(tools, { server, names });
    } catch (error) {
      sift.dispose();
      throw error;
    }
    return sift;
  }

  async #read(edition: number): Promise<void> {
    if (this.#edition === edition) return;
    if (this.#engine === null) throw new Error("the bench is not connected");
    this.#lists = await this.#engine.lists();
    this.#definitions.clear();
    this.#edition = edition;
  }

  #definitionOf(server: string, originalName: string): WireTool | null {
    const list = this.#lists.find((row) => row.server === server);
    if (!list) return null;
    let byName = this.#definitions.get(server);
    if (!byName) {
      byName = new Map(wireTools(list.tools).map((definition) => [definition.name, definition]));
      this.#definitions.set(server, byName);
    }
    return byName.get(originalName) ?? null;
  }
}
