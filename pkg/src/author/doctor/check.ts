/** The interface of a check of tool definitions. */

import type { Rejected, SchemaChange, ToolAnnotations } from "../../types/index.js";
import type { Finding } from "./types.js";

/** The schema of a tool's parameters, as checks read it. */
export type Schema = Record<string, unknown>;

/** One tool, in one form for all formats of definitions. */
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
  /** Tokens in a request, in OpenAI's format. */
  tokens: number;
  /** The first sentence of the description, used as a query. */
  opening: string;
  /** The name in Google's format, if the Gemini API refuses the tool's own name. */
  googleName?: string;
  /** The parts of its schema that vendors refuse, and that toolsift repaired. */
  changes: readonly SchemaChange[];
}

/** The data that a check can use. */
export interface Examined {
  tools: readonly Tool[];
  /** Search words that servers send for their tools. */
  words: readonly { server: string; tool: string; texts: string[] }[];
  /** Definitions that are refused unchanged. Some are accepted with a safe name. */
  rejected: readonly (Rejected & { server: string })[];
  /** Returns the names and scores of the tools that a search finds, best first. */
  find(query: string): { name: string; score: number }[];
  /** The number of tokens above which a tool is expensive. */
  maxTokens: number;
  /** Reports a check's progress to a person. */
  at(done: number): void;
}

/** A finding of a check, which has the check's name. */
export type Found = Omit<Finding, "check">;

/** One check. Each check is an entry of `CHECKS`. */
export interface Check {
  /** Its name in findings. */
  name: string;
  /** The problem that it looks for, as a heading. */
  title: string;
  run(examined: Examined): Iterable<Found>;
}
