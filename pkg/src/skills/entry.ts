/**
 * What an MCP server says of one skill (SEP-2640). Clients of MCP refuse a whole list if one entry is wrong, so each is
 * checked.
 */

import { sha256, type ServerTool } from "../trust/pinned.js";

/** One file of a skill. */
export interface SkillFile {
  uri: string;
  /** `sha256:` and the SHA-256 of the file's bytes, in hexadecimal. */
  digest: string;
  /** How many bytes it has. */
  size: number;
}

/** One skill as its server lists it. */
export interface ServerSkill {
  /** Of its `SKILL.md`. */
  uri: string;
  /** What stands at the head of its `SKILL.md`. */
  frontmatter: { name: string; description: string; [key: string]: unknown };
  /** Its files; `"dynamic"` where the server does not say beforehand what they hold. */
  resources: SkillFile[] | "dynamic";
  _meta?: object;
}

const MANIFEST = "/SKILL.md";
/** The bounds of the specification, up to which clients must take a skill. */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 2 ** 20;
/** Characters of a URI, and what `partsOf` makes of its folder. */
const MOST_URI = 2_000;
export const MOST_PARTS = 32;
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1_024;
const MOST_COMPATIBILITY = 500;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

type Read = { skill: ServerSkill } | { problem: string };

/** By entry, so that each is read once. */
const known = new WeakMap<object, Read>();

/**
 * Reads an entry of `skills/list`.
 *
 * @returns the skill with its known fields alone, since clients refuse others; or what is wrong with it
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

/** What is wrong with the head of a `SKILL.md`, whose `name` and `description` a skill must have. */
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
 * The skills of a list that clients accept, each once. A skill is taken whole or not at all: it must say what its files say.
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

/** Tools that a skill may name. */
const MOST_TOOLS = 64;

/**
 * The tools that a skill names, each once: `allowed-tools` is a list, or a text with blanks or commas between names. What
 * stands behind one in brackets, as in `Bash(git add:*)`, is for the host that knows it.
 */
export function toolsOf({ "allowed-tools": given }: Readonly<Record<string, unknown>>): string[] {
  const text = Array.isArray(given) ? given.join(",") : String(given ?? "");
  const names = text.replace(/\([^()]*\)/g, " ").split(/[\s,]+/);
  return [...new Set(names.filter((name) => name !== ""))].slice(0, MOST_TOOLS);
}

/** The folder of a skill without a slash at its end; undefined for a URI that is not that of a `SKILL.md` in a folder. */
export function folderOf(uri: string): string | undefined {
  const href = hrefOf(uri);
  if (href === undefined || !href.endsWith(MANIFEST)) return undefined;
  const folder = href.slice(0, -MANIFEST.length);
  return folder.endsWith("/") ? undefined : folder;
}

/** The path of a file in a skill's folder, decoded; undefined for what is not in it. */
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
 * What a URI names, in parts between slashes: two URIs of the same parts may name the same file. It is read as a lenient server
 * reads it: without escapes, white space that no URL has, query, fragment, and steps.
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

/** A URI without tabs and line breaks, which URLs leave out. */
const withoutBreaks = (uri: string): string => uri.replace(/[\t\n\r]/g, "");

/** A URI in its canonical form; undefined for one with a query, a fragment, or a step upwards. */
function hrefOf(uri: string): string | undefined {
  if (/[?#]|[/\\](?:\.|%2e){1,2}(?:[/\\]|[\0- ]*$)/i.test(withoutBreaks(uri))) return undefined;
  try {
    return new URL(uri).href;
  } catch {
    return undefined;
  }
}

/** A text without its escapes; undefined where these stand for no text. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const nameOf = (folder: string): string | undefined => decoded(folder.slice(folder.lastIndexOf("/") + 1));

/** A skill in the form in which definitions are pinned, compared and inspected: its files are in it by their digests. */
export function definitionOf({ uri, frontmatter, resources }: ServerSkill): ServerTool {
  const { name: _, description, ...rest } = frontmatter;
  const folder = folderOf(uri)!;
  const files =
    resources === "dynamic"
      ? resources
      : Object.fromEntries(resources.map((file) => [pathIn(folder, file.uri)!, file.digest]));
  return { name: uri, description, inputSchema: {}, annotations: { frontmatter: rest, files } };
}

/** Whether what a server sends of a file is what it listed. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a text has something to say, in at most so many characters. */
const isText = (value: unknown, most: number): boolean =>
  typeof value === "string" && value.trim() !== "" && value.length <= 2 * most && Array.from(value).length <= most;

const quoted = (value: unknown): string => JSON.stringify(String(value).slice(0, 200));
