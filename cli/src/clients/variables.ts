/**
 * Variables in values. toolsift's own form knows those of all clients: `${env:NAME}`, `${NAME}`, `${NAME:-default}`,
 * `${command:op read …}`, `${workspaceFolder}`, `${userHome}` and the like; `$${` stands for `${`. What a client does not
 * replace itself is literal text there, so it is written as `$${` in our form.
 */

import { posix, win32 } from "node:path";
import { withTexts } from "./data.js";
import { COMMAND, marked } from "./secrets.js";
import type { VariableSyntax } from "./table.js";
import type { Place, RemoteEntry, ServerEntry } from "./types.js";

/** The text after replacing, and the variables that have no value. */
export interface Expanded {
  text: string;
  /** Names of environment variables that are not set: the text keeps the variable, as Claude Code does. */
  unset: string[];
  /** Variables that only the client could fill in, such as `${input:token}`. */
  needs: string[];
  /** Commands that print a secret: a mark stands for each. */
  commands: string[];
}

const VARIABLE = /\$(\$?)\{([^{}]*)\}/g;
const FOLDERS = ["workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator", "/", "cwd"];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Replaces the variables of our form. `project` is what `${workspaceFolder}` means. */
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

/** A text in which nothing is a variable, in our form. */
export const literal = (text: string): string => text.replaceAll("${", () => "$${");

/** An entry whose variables are filled in, as the library takes it. */
export function literalEntry(entry: ServerEntry): Omit<ServerEntry, "oauth"> {
  const { oauth: _, ...taken } = entry as RemoteEntry;
  return withTexts(taken, literal);
}

/** The client's spelling → ours: what the client does not replace is escaped. */
export function toCommon(text: string, known: readonly VariableSyntax[]): string {
  const escape = (whole: string, dollars: string, inner: string) =>
    dollars === "" && isKnown(inner, known) ? whole : `$${whole}`;
  const escaped = known.includes("own") ? text : text.replaceAll(/\$(\$*)\{([^{}]*)\}/g, escape);
  return known.includes("braces") ? escaped.replaceAll(/(?<!\$)\{env:([^{}]+)\}/g, "${env:$1}") : escaped;
}

/** Our spelling → the client's. */
export function fromCommon(text: string, known: readonly VariableSyntax[]): string {
  if (known.includes("own")) return text;
  const braces = known.includes("braces") ? text.replaceAll(/(?<!\$)\$\{env:([^{}]+)\}/g, "{env:$1}") : text;
  return braces.replaceAll(/\$(\$+\{[^{}]*\})/g, "$1");
}

function isKnown(inner: string, known: readonly VariableSyntax[]): boolean {
  // No client has this form: in any file it is ours.
  if (COMMAND.test(inner)) return true;
  if (FOLDERS.includes(inner)) return known.includes("folders");
  if (inner.startsWith("env:")) return known.includes("env");
  if (/^(?:input|command|config):/.test(inner)) return known.includes("input");
  return known.includes("bare") && split(inner)[0] !== undefined;
}

/** `env:NAME`, `NAME` or `NAME:-default` as a name and a default. */
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
