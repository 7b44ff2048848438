/**
 * What takes seconds: the doctor's examination, exact tokens, and the lists of live servers. It lives in a third worker, which starts when it is first
 * asked, so that neither the conversation nor the search lab waits for it.
 */
import { wrap, type Remote } from "comlink";
import { ToolSift } from "toolsift";
import { CHECK_TITLES, examine, markdownReport, findingTexts, type Examination, type Level } from "toolsift/author";
import type { WireFormat } from "toolsift";
import { wireTools } from "../model/wire.ts";
import type { BenchList } from "./bench.ts";
import type { Engine } from "./engine.ts";
import { listLive, type Answer } from "./live.ts";

/** One finding, as the page shows it. */
export interface Told {
  check: string;
  /** The check in words. */
  title: string;
  level: Level;
  server: string | null;
  /** The names of the tools that it concerns, as their server calls them. */
  tools: string[];
  subject: string;
  message: string;
  advice: string;
}

/** What the doctor says of a catalog, and the same as texts to take away. */
export interface Diagnosis {
  findings: Told[];
  markdown: string;
  json: string;
}

/** Tokens by o200k, the tokenizer of GPT-4o and later models of OpenAI. */
export interface ExactTokens {
  /** Of all tools in full, as a request has them. */
  total: number;
  /** Of each tool's definition, by the name that the model sees. */
  tools: [name: string, tokens: number][];
}

export class Workshop {
  #engine: Remote<Engine> | null = null;

  /** The way to the engine. */
  connect(port: MessagePort): void {
    this.#engine = wrap<Engine>(port);
  }

  /** Examines the catalog; `onProgress` is told how far that is, in words. */
  async examine(onProgress: (text: string) => void): Promise<Diagnosis> {
    const lists = await this.#lists();
    const servers = lists.map(({ server, tools }) => ({ server, tools }));
    const at = (check: string, done: number, of: number) => onProgress(`${check}: ${done} of ${of} tools`);
    const examination = examine(servers, { onProgress: at });
    return {
      findings: toldOf(examination),
      markdown: markdownReport(examination, { all: true }),
      json: JSON.stringify(examination, null, 2),
    };
  }

  /** Counts every tool of the catalog in a vendor's format. */
  async exactTokens(format: WireFormat): Promise<ExactTokens> {
    const lists = await this.#lists();
    const sift = new ToolSift({ activation: "off" });
    try {
      for (const { server, tools, names } of lists) sift.register(tools, { server, names });
      const { tools } = sift.session("bill").assemble({ format });
      const { countTokens } = await tokenizer();
      const each = wireTools(tools).map(({ json }) => countTokens(JSON.stringify(json)));
      const names = sift.tools().map(({ name }) => name);
      return {
        total: tools.length === 0 ? 0 : countTokens(JSON.stringify(tools)),
        tools: names.map((name, index) => [name, each[index] ?? 0]),
      };
    } finally {
      sift.dispose();
    }
  }

  /** The tools of a live MCP server; `token` is sent to it and not kept. */
  listServer(url: string, token: string): Promise<Answer> {
    return listLive(url, token);
  }

  /** Counts texts. */
  async count(texts: string[]): Promise<number[]> {
    const { countTokens } = await tokenizer();
    return texts.map((text) => countTokens(text));
  }

  async #lists(): Promise<BenchList[]> {
    if (this.#engine === null) throw new Error("the workshop is not connected");
    return this.#engine.lists();
  }
}

/** A megabyte of ranks, loaded when exact tokens are first wanted. */
async function tokenizer(): Promise<{ countTokens: (text: string) => number }> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // What servers write is text, also where it looks like a token of control.
  return { countTokens: (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() }) };
}

function toldOf({ findings }: Examination): Told[] {
  return findings.map((finding) => {
    const { check, level, server, tool, tools } = finding;
    const title = CHECK_TITLES[check] ?? check;
    return { check, title, level, server, tools: tool !== null ? [tool] : (tools ?? []), ...findingTexts(finding) };
  });
}
