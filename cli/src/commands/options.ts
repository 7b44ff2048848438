/** Options that several commands share, with the functions that check their values. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { ToolSift, type ProfileName, type Ranker, type ToolSiftOptions } from "toolsift";
import { collected, type EnrichmentOptions, withEnrichment } from "../sources/enrichment.js";

/** The values of the options that `withRanking` adds. */
export interface RankOptions extends EnrichmentOptions {
  profile?: ProfileName;
  ranker?: Ranker;
}

const RANKERS: Ranker[] = ["sift", "bm25", "parts", "overlap", "pattern"];

/** Returns the option `--profile`, which selects a named set of settings. */
export function profileOption(): Option {
  const names = ToolSift.profiles().map(({ name }) => name);
  return new Option("--profile <name>", "the profile (a named set of settings)").choices(names);
}

function rankerOption(): Option {
  return new Option("--ranker <name>", "the ranking algorithm").choices(RANKERS);
}

/** Returns the option `--json`. */
export function jsonOption(): Option {
  return new Option("--json", "print JSON for programs");
}

/** Returns the option `--limit`, the most rows to print. */
export function limitOption(what: string, standard?: number): Option {
  return new Option("-n, --limit <number>", what).argParser(wholeNumber(1, 1000)).default(standard);
}

/** Returns a function that parses an option's value as a whole number in a range. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a share from 0 to 1. */
export function share(value: string): number {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

/** Adds the options of every command that searches. */
export function withRanking(command: Command): Command {
  return withEnrichment(command).addOption(rankerOption()).addOption(profileOption()).addOption(jsonOption());
}

/** Returns the options of `ToolSift` for these values. Every tool is searched, as if all tools were deferred. */
export function rankSettings({ profile, ranker }: RankOptions): ToolSiftOptions {
  return {
    ...(profile !== undefined && { profile }),
    search: { universe: "all", ...(ranker !== undefined && { ranker }) },
  };
}

/** Collects the values of a repeatable option, each the name of a host. A URL is refused: it would never match. */
export function hostNames(value: string, before?: string[]): string[] {
  if (/^[\w.:[\]-]+$/.test(value)) return collected(value, before);
  throw new InvalidArgumentError("It must be the name of a host, such as app.example.com, without a scheme or a path.");
}

/** Parses the setting `activation`: when tools are deferred. */
export function activation(text: string): unknown {
  if (["auto", "on", "off"].includes(text)) return text;
  if (/^\d{1,9}$/.test(text)) return { tokens: Number(text) };
  throw new InvalidArgumentError("It must be auto, on, off or a number of tokens.");
}

/** Returns the entries that are not undefined. */
export function definedEntries<T extends object>(entries: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;
}
