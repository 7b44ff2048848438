/** The types of the doctor: its input and its findings. */

import type { Enrichment, EnrichmentReport, ToolList } from "../../types/index.js";

/** The severity of a finding. `error`: requests fail. `warning`: the model is misled. `note`: it could be better. */
export type Level = "error" | "warning" | "note";

/** The tools of one server. */
export interface ServerTools {
  server: string;
  /** Definitions in any format that `register` reads. An entry that cannot be read is a finding. */
  tools: ToolList | readonly unknown[];
  /** Search words of people who need these tools. */
  enrichment?: readonly Enrichment[] | undefined;
}

/** Options of `examine`. An unknown key is refused. */
export interface DoctorOptions {
  /** The number of tokens above which a tool is expensive, 1 to 1,000,000. Default 1,500. */
  maxTokens?: number | undefined;
  /** The names of the checks to run. Default: all checks. */
  only?: readonly string[] | undefined;
  /** Search words for the tools of all servers. */
  enrichment?: readonly Enrichment[] | undefined;
  /** Receives the progress of a check, with the check's title. */
  onProgress?: ((check: string, done: number, of: number) => void) | undefined;
}

/** One finding, with advice. Texts may contain text of servers: `findingTexts` makes them safe to show. */
export interface Finding {
  /** The name of the check. */
  check: string;
  level: Level;
  /** The server; null if the finding concerns all servers together. */
  server: string | null;
  /** The tool; null if the finding concerns the server, or several tools. */
  tool: string | null;
  /** The names of the tools, if the finding concerns several. */
  tools?: string[];
  message: string;
  advice: string;
}

/** The size of an examination, and its findings, the most severe first. */
export interface Examination {
  servers: number;
  /** The number of tools that could be read. */
  tools: number;
  /** The tokens of a request with all tools, in OpenAI's format. */
  tokens: number;
  findings: Finding[];
  /** The report on the search words of each server that was passed with some, in the same order. */
  enrichment?: EnrichmentReport[];
}

/** A finding as one-line texts, with hidden characters as visible escapes. */
export interface ReadableFinding {
  /** `server: tool`, or the part of it that is known. */
  subject: string;
  /** The finding, with the names of the tools if there are several. */
  message: string;
  /** Advice to solve the problem. */
  advice: string;
}
