/** Reads skills from folders with a `SKILL.md`. Their other files are read on demand. For Node, Bun and Deno. */

import type { Dirent } from "node:fs";
import { ToolSiftError } from "../base/errors.js";
import { builtin } from "../base/node.js";
import { kind, reasonOf } from "../base/values.js";
import type { SkillDefinition } from "../types/index.js";
import { frontmatterProblem, toolsOf } from "./entry.js";
import { bodyOf, BrokenLine, frontMatterOf } from "./front-matter.js";

type Files = typeof import("node:fs/promises");
type Paths = typeof import("node:path");

const MANIFEST = "SKILL.md";
/** The core's limit on a skill's text. */
const MOST_MANIFEST_BYTES = 256 * 1_024;
/** The maximum size of another file. The model reads it in pieces. */
const MOST_FILE_BYTES = 4 * 2 ** 20;
/** The maximum depth of folders above a `SKILL.md`, and the maximum number of folders that are read. */
const MOST_DEPTH = 8;
const MOST_FOLDERS = 20_000;
/** The maximum number of problems in one error message. */
const NAMED = 5;

/**
 * Reads the skills of a folder: the skill whose `SKILL.md` it has, or the skills of the folders in it. Folders whose names
 * begin with a dot, and `node_modules`, are skipped.
 *
 * @returns the skills; an empty list for a folder without skills
 * @throws ToolSiftError `option_invalid` with each invalid file and line, and each symbolic link out of the folder; also if
 * the folder cannot be read, and in a runtime without files
 */
export async function skillsIn(folder: string): Promise<SkillDefinition[]> {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0"))
    throw invalid(`a folder of skills must be a path, got ${kind(folder)}`);
  const [files, paths] = [builtin("node:fs/promises"), builtin("node:path")];
  if (files === undefined || paths === undefined)
    throw invalid("folders of skills are read by Node 20.16, Bun and Deno; elsewhere pass skills as objects");
  const reader = new Reader(files, paths, folder);
  const skills = await reader.read();
  const { problems } = reader;
  if (problems.length > 0) {
    const more = problems.length > NAMED ? `\n… ${problems.length - NAMED} more` : "";
    throw invalid(`skills cannot be read:\n${problems.slice(0, NAMED).join("\n")}${more}`);
  }
  return skills;
}

class Reader {
  readonly problems: string[] = [];
  readonly #files: Files;
  readonly #paths: Paths;
  readonly #top: string;
  #root = "";
  /** The real paths of the folders that were read, because links may lead to them again. */
  readonly #seen = new Set<string>();
  #looked = 0;

  constructor(files: Files, paths: Paths, top: string) {
    this.#files = files;
    this.#paths = paths;
    this.#top = top;
  }

  async read(): Promise<SkillDefinition[]> {
    try {
      this.#root = await this.#files.realpath(this.#top);
    } catch (error) {
      throw invalid(`${this.#top} cannot be read: ${reasonOf(error)}`);
    }
    return this.#in(this.#top, 0);
  }

  async #in(folder: string, depth: number): Promise<SkillDefinition[]> {
    if (++this.#looked > MOST_FOLDERS) throw invalid(`${this.#top} has more than ${MOST_FOLDERS} folders`);
    let entries: Dirent[];
    try {
      const real = await this.#files.realpath(folder);
      if (this.#seen.has(real)) return [];
      this.#seen.add(real);
      entries = await this.#files.readdir(folder, { withFileTypes: true });
    } catch (error) {
      this.problems.push(`${folder}: ${reasonOf(error)}`);
      return [];
    }
    if (entries.some(({ name }) => name === MANIFEST)) return this.#skill(folder);
    if (depth === MOST_DEPTH) return [];
    const skills: SkillDefinition[] = [];
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name } = entry;
      if (name.startsWith(".") || name === "node_modules") continue;
      const path = this.#paths.join(folder, name);
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await this.#leadsToFolder(path)))) {
        skills.push(...(await this.#in(path, depth + 1)));
      }
    }
    return skills;
  }

  /** Checks if a symbolic link leads to a folder within the top folder. A link out of it is recorded as a problem. */
  async #leadsToFolder(path: string): Promise<boolean> {
    try {
      if (!(await this.#files.stat(path)).isDirectory()) return false;
      if (isWithin(this.#root, await this.#files.realpath(path), this.#paths.sep)) return true;
    } catch {
      return false;
    }
    this.problems.push(`${path} is a symbolic link out of ${this.#top}; pass the folder that it leads to`);
    return false;
  }

  async #skill(folder: string): Promise<SkillDefinition[]> {
    const path = this.#paths.join(folder, MANIFEST);
    const [files, paths] = [this.#files, this.#paths];
    try {
      const read = async (asked = MANIFEST): Promise<string> => {
        const text = await fileIn(files, paths, folder, asked);
        return asked === MANIFEST ? bodyOf(text) : text;
      };
      const { fields, lines, body } = frontMatterOf(await fileIn(files, paths, folder, MANIFEST));
      const problem = frontmatterProblem(fields);
      if (problem !== undefined) throw new BrokenLine(lines[problem.split(" ", 1)[0]!] ?? 1, problem);
      const { name, description } = fields as { name: string; description: string };
      return [{ kind: "skill", name, description, text: body, tools: toolsOf(fields), read }];
    } catch (error) {
      this.problems.push(`${path}${error instanceof BrokenLine ? `:${error.line}` : ""}: ${reasonOf(error)}`);
      return [];
    }
  }
}

/** Returns the text of a file. Links in its path are followed, but the file must be within the folder. */
async function fileIn(files: Files, paths: Paths, folder: string, path: string): Promise<string> {
  const parts = path.split(/[/\\]/);
  if (path === "" || path.includes("\0") || paths.isAbsolute(path) || /^[A-Za-z]:/.test(path) || parts.includes(".."))
    throw outside(path);
  const [root, file] = await Promise.all([files.realpath(folder), files.realpath(paths.join(folder, path))]).catch(() => {
    throw badPath(`there is no file ${shown(path)} in the folder of the skill`);
  });
  if (!isWithin(root, file, paths.sep)) throw outside(path);
  const stat = await files.stat(file);
  if (!stat.isFile()) throw badPath(`${shown(path)} is no file`);
  const most = path === MANIFEST ? MOST_MANIFEST_BYTES : MOST_FILE_BYTES;
  if (stat.size > most) throw badPath(`${shown(path)} has ${stat.size} bytes; at most ${most} are read`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await files.readFile(file));
  } catch {
    throw badPath(`${shown(path)} is no text in UTF-8`);
  }
}

const isWithin = (root: string, path: string, sep: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);

const shown = (path: string): string => JSON.stringify(path.slice(0, 200));
const invalid = (message: string): ToolSiftError => new ToolSiftError("option_invalid", message);
const badPath = (message: string): ToolSiftError => new ToolSiftError("skill_path_invalid", message);
const outside = (path: string): ToolSiftError => badPath(`${shown(path)} leads out of the folder of the skill`);
