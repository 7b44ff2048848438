/** The types of the doctor: its input and its findings. */

import type { Enrichment, EnrichmentReport, ToolList } from "../../types/index.js";

/** How grave a finding is: requests fail, the model is misled, or it could be better. */
export type Level = "error" | "warning" | "note";

/** The tools of one server. */
export interface ServerTools {
  server: string;
  /** Definitions in any shape that `register` reads. An entry that cannot be read is a finding. */
  tools: ToolList | readonly unknown[];
  /** What people say who need them. */
  enrichment?: readonly Enrichment[] | undefined;
}

/** Options of `examine`. A key that is not listed here is refused. */
export interface DoctorOptions {
  /** A tool of more tokens is expensive. 1 to 1,000,000; default 1,500. */
  maxTokens?: number | undefined;
  /** The names of the checks that run; all by default. */
  only?: readonly string[] | undefined;
  /** Words that are searched beside the definitions of all servers. */
  enrichment?: readonly Enrichment[] | undefined;
  /** Is told how far a check is, by its title. */
  onProgress?: ((check: string, done: number, of: number) => void) | undefined;
}

/** One finding, with what to do about it. Texts may hold what servers wrote: `findingTexts` makes them safe to show. */
export interface Finding {
  /** The name of the check. */
  check: string;
  level: Level;
  /** Null where it concerns all servers together. */
  server: string | null;
  /** Null where it concerns the server, or several tools. */
  tool: string | null;
  /** The tools that it concerns, where it concerns several. */
  tools?: string[];
  message: string;
  advice: string;
}

/** The extent of an examination, and its findings, the gravest first. */
export interface Examination {
  servers: number;
  /** The tools that could be read. */
  tools: number;
  /** What a request with all tools has, in the format of OpenAI. */
  tokens: number;
  findings: Finding[];
  /** What became of the words of each server that was given with some, in their order. */
  enrichment?: EnrichmentReport[];
}

/** A finding as texts of one line each, with hidden characters as visible escapes. */
export interface ReadableFinding {
  /** `server: tool`, or what of both there is. */
  subject: string;
  /** What was found, with the names of the tools where there are several. */
  message: string;
  /** What to do about it. */
  advice: string;
}
