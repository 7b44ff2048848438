/**
 * Checks the entries of an MCP server's skill list (SEP-2640). Each entry is checked, because MCP clients refuse the whole
 * list if one entry is wrong.
 */

import { isObject } from "../wire/fields.js";
import { sha256 } from "../base/sha256.js";
import type { ServerTool } from "../trust/pinned.js";

/** One file of a skill. */
export interface SkillFile {
  uri: string;
  /** `sha256:` and the SHA-256 of the file's bytes, in hexadecimal. */
  digest: string;
  /** The size in bytes. */
  size: number;
}

/** One skill as its server lists it. */
export interface ServerSkill {
  /** The URI of its `SKILL.md`. */
  uri: string;
  /** The YAML head of its `SKILL.md`. */
  frontmatter: { name: string; description: string; [key: string]: unknown };
  /** Its files; `"dynamic"` if the server does not list them in advance. */
  resources: SkillFile[] | "dynamic";
  _meta?: object;
}

const MANIFEST = "/SKILL.md";
/** The limits of the specification, up to which clients must accept a skill. */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 2 ** 20;
/** The maximum number of characters of a URI. `MOST_PARTS` limits the parts of its folder. */
const MOST_URI = 2_000;
export const MOST_PARTS = 32;
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1_024;
const MOST_COMPATIBILITY = 500;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

type Read = { skill: ServerSkill } | { problem: string };

/** The result for each entry, so that each entry is read once. */
const known = new WeakMap<object, Read>();

/**
 * Reads an entry of `skills/list`.
 *
 * @returns the skill with only its known fields, because clients refuse others; or the problem of the entry
 */
export function skillOf(given: unknown): Read {
  const entry = Object(given) as object;
  const before = known.get(entry);
  if (before !== undefined) return before;
  const now = read(entry);
  known.set(entry, now);
  return now;
}

function read(given: object): Read {
  const { uri, frontmatter, resources, _meta } = given as Record<string, unknown>;
  if (typeof uri === "string" && uri.length > MOST_URI) return { problem: "its URI is too long" };
  const folder = typeof uri === "string" ? folderOf(uri) : undefined;
  if (folder === undefined) return { problem: "its URI names no SKILL.md in a folder" };
  if (folder.length > MOST_URI || partsOf(folder).length > MOST_PARTS) return { problem: "its URI is too long" };
  if (!isObject(frontmatter)) return { problem: "frontmatter is no object" };
  const problem =
    frontmatterProblem(frontmatter) ??
    (nameOf(folder) === frontmatter["name"] ? undefined : "its name is not that of its folder") ??
    filesProblem(resources, uri as string, folder);
  if (problem !== undefined) return { problem };
  const files =
    resources === "dynamic" ? resources : (resources as SkillFile[]).map(({ uri, digest, size }) => ({ uri, digest, size }));
  const skill = { uri, frontmatter, resources: files, ...(isObject(_meta) && { _meta }) };
  return { skill: skill as ServerSkill };
}

/** Returns the problem of a `SKILL.md` head, which must have `name` and `description`; undefined if it is valid. */
export function frontmatterProblem(given: Readonly<Record<string, unknown>>): string | undefined {
  const { name, description, license, compatibility, metadata, "allowed-tools": tools } = given;
  if (typeof name !== "string" || name.length > MOST_NAME || !NAME.test(name))
    return `name must have 1 to ${MOST_NAME} characters: lower-case letters, digits and single hyphens between them`;
  if (!isText(description, MOST_DESCRIPTION)) return `description must have 1 to ${MOST_DESCRIPTION} characters`;
  if (license !== undefined && typeof license !== "string") return "license must be a text";
  if (compatibility !== undefined && !isText(compatibility, MOST_COMPATIBILITY))
    return `compatibility must have 1 to ${MOST_COMPATIBILITY} characters`;
  const areTexts = (values: unknown[]): boolean => values.every((value) => typeof value === "string");
  if (metadata !== undefined && !(isObject(metadata) && areTexts(Object.values(metadata))))
    return "metadata must be a map of texts";
  if (tools !== undefined && typeof tools !== "string" && !(Array.isArray(tools) && areTexts(tools)))
    return "allowed-tools must be a text or a list of texts";
  return undefined;
}

function filesProblem(given: unknown, own: string, folder: string): string | undefined {
  if (given === "dynamic") return undefined;
  if (!Array.isArray(given)) return 'resources is neither a list nor "dynamic"';
  if (given.length > MOST_FILES) return `it has more than ${MOST_FILES} files`;
  const paths = new Set<string>();
  let bytes = 0;
  for (const file of given as unknown[]) {
    const { uri, digest, size } = Object(file) as Record<string, unknown>;
    const path = typeof uri === "string" && uri.length <= MOST_URI ? pathIn(folder, uri) : undefined;
    if (path === undefined) return `${quoted(uri)} is no file of its folder`;
    if (paths.has(path)) return `${quoted(path)} is listed twice`;
    paths.add(path);
    if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest)) return `${quoted(path)} has no digest`;
    if (!Number.isSafeInteger(size) || (size as number) < 0) return `${quoted(path)} has no size`;
    bytes += size as number;
  }
  if (bytes > MOST_BYTES) return `it has more than ${MOST_BYTES} bytes`;
  return given.some((file) => (file as SkillFile).uri === own) ? undefined : "resources does not have its SKILL.md";
}

/**
 * Returns the valid skills of a list, each once. An invalid skill is left out as a whole: all of its files must be
 * described.
 */
export function acceptedSkills(skills: readonly unknown[]): ServerSkill[] {
  const seen = new Set<string>();
  return skills.flatMap((one) => {
    const read = skillOf(one);
    if ("problem" in read) return [];
    const at = partsOf(read.skill.uri).join("/");
    if (seen.has(at)) return [];
    seen.add(at);
    return read.skill;
  });
}

/** The maximum number of tools that a skill may name. */
const MOST_TOOLS = 64;

/**
 * Returns the tools that a skill names, each once. `allowed-tools` is a list, or a text with spaces or commas between names.
 * Text in parentheses after a name, as in `Bash(git add:*)`, is removed.
 */
export function toolsOf({ "allowed-tools": given }: Readonly<Record<string, unknown>>): string[] {
  const text = Array.isArray(given) ? given.join(",") : String(given ?? "");
  const names = text.replace(/\([^()]*\)/g, " ").split(/[\s,]+/);
  return [...new Set(names.filter((name) => name !== ""))].slice(0, MOST_TOOLS);
}

/** Returns the folder of a skill without a final slash; undefined if the URI is not that of a `SKILL.md` in a folder. */
export function folderOf(uri: string): string | undefined {
  const href = hrefOf(uri);
  if (href === undefined || !href.endsWith(MANIFEST)) return undefined;
  const folder = href.slice(0, -MANIFEST.length);
  return folder.endsWith("/") ? undefined : folder;
}

/** Returns the decoded path of a file in a skill's folder; undefined if the file is not in the folder. */
export function pathIn(folder: string, uri: string): string | undefined {
  const href = hrefOf(uri);
  if (href === undefined || !href.startsWith(`${folder}/`)) return undefined;
  const parts = href
    .slice(folder.length + 1)
    .split("/")
    .map(decoded);
  const isPath = parts.every((part) => part !== undefined && part !== "" && !/^\.{1,2}$|[/\\\0]/.test(part));
  return isPath ? parts.join("/") : undefined;
}

/**
 * Returns the parts of a URI between slashes. Two URIs with the same parts may mean the same file. The URI is read as a
 * lenient server reads it: decoded, without white space, query and fragment, and with `.` and `..` resolved.
 */
export function partsOf(uri: string): string[] {
  const [path = ""] = withoutBreaks(uri).trim().split(/[?#]/, 1);
  const text = (hrefOf(path) ?? path).replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
    UTF8.decode(Uint8Array.from(codes.slice(1).split("%"), (code) => parseInt(code, 16))),
  );
  const parts: string[] = [];
  for (const part of text.normalize().split(/[/\\]+/)) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts;
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns a URI without tabs and line breaks, which URL parsers ignore. */
const withoutBreaks = (uri: string): string => uri.replace(/[\t\n\r]/g, "");

/** Returns a URI in its canonical form; undefined if it has a query, a fragment, or a `.` or `..` segment. */
function hrefOf(uri: string): string | undefined {
  if (/[?#]|[/\\](?:\.|%2e){1,2}(?:[/\\]|[\0- ]*$)/i.test(withoutBreaks(uri))) return undefined;
  try {
    return new URL(uri).href;
  } catch {
    return undefined;
  }
}

/** Returns a text with its escapes decoded; undefined if the escapes are invalid. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const nameOf = (folder: string): string | undefined => decoded(folder.slice(folder.lastIndexOf("/") + 1));

/** Returns a skill in the form in which definitions are pinned, compared and inspected, with the digests of its files. */
export function definitionOf({ uri, frontmatter, resources }: ServerSkill): ServerTool {
  const { name: _, description, ...rest } = frontmatter;
  const folder = folderOf(uri)!;
  const files =
    resources === "dynamic"
      ? resources
      : Object.fromEntries(resources.map((file) => [pathIn(folder, file.uri)!, file.digest]));
  return { name: uri, description, inputSchema: {}, annotations: { frontmatter: rest, files } };
}

/** Checks if the content that a server sent is the file that it listed. */
export function isContent({ digest, size }: SkillFile, content: unknown): boolean {
  const { text, blob } = Object(content) as { text?: unknown; blob?: unknown };
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : bytesOf(blob);
  return bytes?.length === size && digest === `sha256:${sha256(bytes)}`;
}

function bytesOf(blob: unknown): Uint8Array | undefined {
  try {
    return typeof blob === "string" ? Uint8Array.from(atob(blob), (char) => char.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that a text is not blank and has at most `most` characters. */
const isText = (value: unknown, most: number): boolean =>
  typeof value === "string" && value.trim() !== "" && value.length <= 2 * most && Array.from(value).length <= most;

const quoted = (value: unknown): string => JSON.stringify(String(value).slice(0, 200));
