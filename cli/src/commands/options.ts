/** Options that several commands share, with their checks. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { ToolSift, type ProfileName, type Ranker, type ToolSiftOptions } from "toolsift";
import { collected, type EnrichmentOptions, withEnrichment } from "../sources/enrichment.js";

/** How a search is made, where a command searches. */
export interface RankOptions extends EnrichmentOptions {
  profile?: ProfileName;
  ranker?: Ranker;
}

const RANKERS: Ranker[] = ["sift", "bm25", "parts", "overlap", "pattern"];

/** `--profile`: a named row of settings. */
export function profileOption(): Option {
  const names = ToolSift.profiles().map(({ name }) => name);
  return new Option("--profile <name>", "settings of toolsift to use").choices(names);
}

function rankerOption(): Option {
  return new Option("--ranker <name>", "how tools are found").choices(RANKERS);
}

/** `--json`: the result for programs. */
export function jsonOption(): Option {
  return new Option("--json", "print JSON for programs");
}

/** `--limit`: at most so many rows. */
export function limitOption(what: string, standard?: number): Option {
  return new Option("-n, --limit <number>", what).argParser(wholeNumber(1, 1000)).default(standard);
}

/** Reads a whole number of an option. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Reads a share from 0 to 1. */
export function share(value: string): number {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

/** Adds what every command that searches takes. */
export function withRanking(command: Command): Command {
  return withEnrichment(command).addOption(rankerOption()).addOption(profileOption()).addOption(jsonOption());
}

/** The options of `ToolSift` that these stand for. Every tool is searched, as when all are deferred. */
export function rankSettings({ profile, ranker }: RankOptions): ToolSiftOptions {
  return {
    ...(profile !== undefined && { profile }),
    search: { universe: "all", ...(ranker !== undefined && { ranker }) },
  };
}

/** Collects the names of hosts. An address would never fit what a browser sends. */
export function hostNames(value: string, before?: string[]): string[] {
  if (/^[\w.:[\]-]+$/.test(value)) return collected(value, before);
  throw new InvalidArgumentError("It must be the name of a host, such as app.example.com, without a scheme or a path.");
}

/** Reads when tools are deferred. */
export function activation(text: string): unknown {
  if (["auto", "on", "off"].includes(text)) return text;
  if (/^\d{1,9}$/.test(text)) return { tokens: Number(text) };
  throw new InvalidArgumentError("It must be auto, on, off or a number of tokens.");
}

/** The entries that say something. */
export function definedEntries<T extends object>(entries: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;
}
