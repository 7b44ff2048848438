/** The interface of a check. */

import type { Rejected, SchemaChange, ToolAnnotations } from "../../types/index.js";
import type { Finding } from "./types.js";

/** The schema of a tool's parameters, as far as checks read it. */
export type Schema = Record<string, unknown>;

/** One tool, whatever form its definition has. */
export interface Tool {
  /** The name that the model sees. */
  name: string;
  /** The name that its server gave it. */
  originalName: string;
  server: string;
  title: string | null;
  description: string;
  inputSchema: Schema;
  annotations?: ToolAnnotations;
  /** Tokens in a request, in the format of OpenAI. */
  tokens: number;
  /** The first sentence of the description, as a query. */
  opening: string;
  /** The name under which Google's format declares it, where the Gemini API refuses its own. */
  googleName?: string;
  /** What of its schema vendors refuse: what toolsift had to repair. */
  changes: readonly SchemaChange[];
}

/** Everything that a check may ask. */
export interface Examined {
  tools: readonly Tool[];
  /** What servers write for the search alone. */
  words: readonly { server: string; tool: string; texts: string[] }[];
  /** Definitions that are refused as they stand; with a safe name, or not at all. */
  rejected: readonly (Rejected & { server: string })[];
  /** The names of the tools that a search finds, best first, with their scores. */
  find(query: string): { name: string; score: number }[];
  /** From how many tokens on a tool is expensive. */
  maxTokens: number;
  /** Tells a person how far a check is. */
  at(done: number): void;
}

/** One check. A check is one file in this folder, and one entry of `CHECKS`. */
export interface Check {
  /** Its name, as it stands in findings. */
  name: string;
  /** What it looks for, as a heading. */
  title: string;
  run(examined: Examined): Iterable<Finding>;
}
