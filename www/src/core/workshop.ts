/**
 * What takes seconds: the doctor's examination, and the lists of live servers. It lives in a third worker, which starts when it is first
 * asked, so that neither the conversation nor the search lab waits for it.
 */
import { type Remote, wrap } from "comlink";
import {
  CHECK_TITLES,
  type Examination,
  examine,
  type Finding,
  findingTexts,
  type Level,
  markdownReport,
} from "toolsift/author";
import type { Engine } from "./engine.ts";
import { type Answer, listLive } from "./live.ts";
import { type Fix, fixesOf } from "./repair.ts";
import type { KeptList } from "./types.ts";

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
  /** The first of its tools as it is, and mended; only where the doctor was asked again and had nothing more to say. */
  fix: Fix | null;
}

/** What the doctor says of a catalog, and the same as texts to take away. */
export interface Diagnosis {
  findings: Told[];
  markdown: string;
  json: string;
}

export class Workshop {
  #engine: Remote<Engine> | null = null;

  /** The way to the engine. */
  connect(port: MessagePort): void {
    this.#engine = wrap<Engine>(port);
  }

  /** Examines the catalog; `onProgress` is told how far that is, in words. From the page it has to be a `proxy`. */
  async examine(onProgress?: (text: string) => void): Promise<Diagnosis> {
    const lists = await this.#lists();
    const servers = lists.map(({ server, tools }) => ({ server, tools }));
    const at = (check: string, done: number, of: number) => onProgress?.(`${check}: ${done} of ${of} tools`);
    const examination = examine(servers, { onProgress: at });
    return {
      findings: toldOf(examination, fixesOf(servers)),
      markdown: markdownReport(examination, { all: true }),
      json: JSON.stringify(examination, null, 2),
    };
  }

  /** The tools of a live MCP server; `token` is sent to it and not kept. */
  listServer(url: string, token: string): Promise<Answer> {
    return listLive(url, token);
  }

  async #lists(): Promise<KeptList[]> {
    if (this.#engine === null) throw new Error("the workshop is not connected");
    return this.#engine.lists();
  }
}

function toldOf({ findings }: Examination, fixOf: (finding: Finding) => Fix | null): Told[] {
  return findings.map((finding) => {
    const { check, level, server, tool, tools } = finding;
    const title = CHECK_TITLES[check] ?? check;
    const named = tool !== null ? [tool] : (tools ?? []);
    return { check, title, level, server, tools: named, ...findingTexts(finding), fix: fixOf(finding) };
  });
}
