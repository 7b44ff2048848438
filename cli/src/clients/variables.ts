/**
 * Replaces and translates variables in values. toolsift's own files know the variables of all clients: `${env:NAME}`,
 * `${NAME}`, `${NAME:-default}`, `${command:op read …}`, `${workspaceFolder}` and the like. `$${` stands for
 * a literal `${`: if a client does not replace a variable, it is literal text in the client and is written with `$${` in
 * ours.
 */

import { posix, win32 } from "node:path";
import { withTexts } from "./data.js";
import { COMMAND, marked } from "./secrets.js";
import type { VariableSyntax } from "./table.js";
import type { Place, RemoteEntry, ServerEntry } from "./types.js";

/** A text with its variables replaced, and the variables that have no value. */
export interface Expanded {
  text: string;
  /** The names of environment variables that are not set. The text keeps these variables, as in Claude Code. */
  unset: string[];
  /** The variables that only the client can fill in, such as `${input:token}`. */
  needs: string[];
  /** The commands that print a secret. The text has a placeholder for each. */
  commands: string[];
}

const VARIABLE = /\$(\$?)\{([^{}]*)\}/g;
const FOLDERS = ["workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator", "/", "cwd"];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Replaces the variables in a text. `project` is the value of `${workspaceFolder}`. */
export function expand(text: string, place: Place, project: string): Expanded {
  const unset: string[] = [];
  const needs: string[] = [];
  const commands: string[] = [];
  const replaced = text.replaceAll(VARIABLE, (whole, escaped: string, inner: string) => {
    if (escaped) return whole.slice(1);
    const folder = folderOf(inner, place, project);
    if (folder !== undefined) return folder;
    const [, command] = COMMAND.exec(inner) ?? [];
    if (command !== undefined) {
      commands.push(command);
      return marked(command);
    }
    if (/^(?:input|command|config):/.test(inner)) {
      needs.push(whole);
      return whole;
    }
    const [name, fallback] = split(inner);
    if (name === undefined) return whole;
    const value = place.env[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    unset.push(name);
    return whole;
  });
  return { text: replaced, unset, needs, commands };
}

/** Escapes a text, so that nothing in it is a variable. */
export const literal = (text: string): string => text.replaceAll("${", () => "$${");

/** Returns an entry with filled-in variables for the library: without `oauth`, and with its texts escaped. */
export function literalEntry(entry: ServerEntry): Omit<ServerEntry, "oauth"> {
  const { oauth: _, ...taken } = entry as RemoteEntry;
  return withTexts(taken, literal);
}

/** Translates variables from a client's syntax to ours. Variables that the client does not replace are escaped. */
export function toCommon(text: string, known: readonly VariableSyntax[]): string {
  const escape = (whole: string, dollars: string, inner: string) =>
    dollars === "" && isKnown(inner, known) ? whole : `$${whole}`;
  const escaped = known.includes("own") ? text : text.replaceAll(/\$(\$*)\{([^{}]*)\}/g, escape);
  return known.includes("braces") ? escaped.replaceAll(/(?<!\$)\{env:([^{}]+)\}/g, "${env:$1}") : escaped;
}

/** Translates variables from our syntax to a client's. */
export function fromCommon(text: string, known: readonly VariableSyntax[]): string {
  if (known.includes("own")) return text;
  const braces = known.includes("braces") ? text.replaceAll(/(?<!\$)\$\{env:([^{}]+)\}/g, "{env:$1}") : text;
  return braces.replaceAll(/\$(\$+\{[^{}]*\})/g, "$1");
}

function isKnown(inner: string, known: readonly VariableSyntax[]): boolean {
  // No client has this kind of variable, so in any file it is toolsift's.
  if (COMMAND.test(inner)) return true;
  if (FOLDERS.includes(inner)) return known.includes("folders");
  if (inner.startsWith("env:")) return known.includes("env");
  if (/^(?:input|command|config):/.test(inner)) return known.includes("input");
  return known.includes("bare") && split(inner)[0] !== undefined;
}

/** Splits `env:NAME`, `NAME` or `NAME:-default` into a name and a default. */
function split(inner: string): [string | undefined, string?] {
  const text = inner.startsWith("env:") ? inner.slice("env:".length) : inner;
  const at = text.indexOf(":-");
  const name = at < 0 ? text : text.slice(0, at);
  if (!NAME.test(name)) return [undefined];
  return at < 0 ? [name] : [name, text.slice(at + ":-".length)];
}

function folderOf(inner: string, place: Place, project: string): string | undefined {
  const { basename, sep } = place.platform === "win32" ? win32 : posix;
  if (inner === "workspaceFolder") return project;
  if (inner === "workspaceFolderBasename") return basename(project);
  if (inner === "userHome") return place.home;
  if (inner === "cwd") return place.cwd;
  return inner === "pathSeparator" || inner === "/" ? sep : undefined;
}
