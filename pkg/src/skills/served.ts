/**
 * Converts skills of MCP servers to the form in which they are registered. Their readers ask the server and check the files.
 */

import { ToolSiftError } from "../base/errors.js";
import type { SkillDefinition } from "../types/index.js";
import { definitionOf, folderOf, isContent, pathIn, type ServerSkill, type SkillFile, toolsOf } from "./entry.js";
import { bodyOf } from "./front-matter.js";

/** The part of a server that skills need. */
export interface SkillServer {
  /** Sends `resources/read` for a URI and returns the result. */
  read(uri: string): Promise<unknown>;
  /** Reads the server's lists again, after a file differed from the listed one. */
  listAgain(): void;
}

/**
 * Returns the skills of a server in the form for `register`. `annotations` has the front matter of each skill and the
 * digests of its files, which a guard pins. If two skills have the same name, the second is named by its whole path, with a
 * number if that name is used too.
 */
export function served(skills: readonly ServerSkill[], server: SkillServer): SkillDefinition[] {
  const names = new Set<string>();
  return skills.map((skill) => {
    const { frontmatter, uri } = skill;
    const path = folderOf(uri)!.replace(/^[^:]*:\/*/, "");
    const whole = path.replace(/[^A-Za-z0-9_-]+/g, "-");
    let name = frontmatter.name;
    for (let count = 1; names.has(name); count++) name = count === 1 ? whole : `${whole}-${count}`;
    names.add(name);
    const { description, annotations } = definitionOf(skill);
    const read = (path?: string): Promise<string> => readFile(skill, server, path);
    return { kind: "skill" as const, name, description: description!, annotations, tools: toolsOf(frontmatter), read };
  });
}

/** Returns the text of a file of a skill; without a path, the text of its `SKILL.md` after the head. */
async function readFile(skill: ServerSkill, server: SkillServer, path: string | undefined): Promise<string> {
  const { uri, file } = located(skill, path);
  const { contents } = Object(await server.read(uri)) as { contents?: unknown };
  const content: unknown = Array.isArray(contents) ? contents[0] : undefined;
  if (file !== undefined && !isContent(file, content)) {
    server.listAgain();
    throw new ToolSiftError(
      "skill_invalid",
      `${shown(uri)} is not the file that its server listed: its digest or its size is another`,
    );
  }
  const { text } = Object(content) as { text?: unknown };
  if (typeof text !== "string") throw refused(`${shown(uri)} is no text`);
  return path === undefined ? bodyOf(text) : text;
}

/** Returns the URI of a file, and the file's entry in the server's list. */
function located({ uri, resources }: ServerSkill, path: string | undefined): { uri: string; file?: SkillFile } {
  const folder = folderOf(uri)!;
  const wanted = path === undefined ? "SKILL.md" : path.replace(/^(?:\.\/)+/, "");
  if (resources === "dynamic") {
    const asked = `${folder}/${wanted.split("/").map(encodeURIComponent).join("/")}`;
    if (pathIn(folder, asked) !== undefined) return { uri: asked };
  } else {
    const file = resources.find((one) => pathIn(folder, one.uri) === wanted);
    if (file !== undefined) return { uri: file.uri, file };
  }
  throw refused(`the skill has no file ${shown(wanted)}`);
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 200));
const refused = (message: string): ToolSiftError => new ToolSiftError("skill_path_invalid", message);
