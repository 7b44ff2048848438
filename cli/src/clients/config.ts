/** toolsift's own configuration: the file of `npx toolsift mcp --config FILE`. */

import { Failure } from "../base/failure.js";
import { bareObject } from "./data.js";
import { placeOf } from "./places.js";
import { resolve, sentence, workspaceOf } from "./resolve.js";
import { formatOf, readSection, sectionOf, SYNTAX, type Section, type Where } from "./section.js";
import { quoted } from "../output/escape.js";
import { CODEX, COMMON, type Form } from "./table.js";
import type { NamedServer, Place, Problem } from "./types.js";

/** The spelling of our own file: Cursor's, with the variables of all clients; the keys of other clients are read too. */
const OWN_FORM: Form = {
  ...COMMON,
  variables: ["own"],
  ignored: ["timeout", "autoApprove", "alwaysAllow"],
  signsIn: true,
};

const OWN_TOML: Form = { ...CODEX, variables: ["own"], bound: [] };
const WITH_BRACES: Form = { ...OWN_FORM, variables: ["own", "braces"] };

type InFile = Omit<Where, "file" | "format">;

const OWN_PLACE: InFile = { at: ["mcpServers"], form: OWN_FORM };

/** Where clients keep their servers in a file of JSON; the first that is there counts. */
const PLACES: readonly InFile[] = [
  OWN_PLACE,
  { at: ["servers"], form: OWN_FORM },
  { at: ["context_servers"], form: OWN_FORM },
  { at: ["mcp", "servers"], form: WITH_BRACES },
  { at: ["mcp"], form: WITH_BRACES, skip: ["servers", "timeout"] },
];

/** Where servers stand in a file that somebody names; undefined where they stand nowhere. */
function whereIn(file: string, root: unknown): Where | undefined {
  const mine = ownWhere(file);
  const places = mine.format === "toml" ? [mine] : PLACES.map((place) => ({ ...mine, ...place }));
  return places.find(({ at }) => {
    const there = at.reduce(member, root);
    return typeof there === "object" && there !== null;
  });
}

/** The servers and settings of a configuration. */
export interface Config {
  servers: NamedServer[];
  /** The object under `toolsift`, as it stands there; `{}` where there is none. */
  settings: Record<string, unknown>;
  /** Errors and notes; where the file could not be read at all, there is an error and no server. */
  problems: Problem[];
}

/**
 * Reads a configuration: Cursor's form with comments allowed, or Codex' form where the name ends in `.toml`. Variables are
 * replaced. What can be read is returned even where the file is broken. Nothing is thrown.
 */
export async function readConfig(file: string, given: Partial<Place> = {}): Promise<Config> {
  const mine = ownWhere(file);
  const first = await readSection(mine);
  const where = whereIn(file, first.root) ?? mine;
  const section = where.at === mine.at ? first : sectionOf(first.text, where);
  const { servers, problems } = resolved(section, file, placeOf(given));
  const settings = SYNTAX[where.format].read(section.text ?? "", ["toolsift"]);
  const value = member(settings.root, "toolsift");
  const wrong = value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value));
  const all = [...problems];
  if (section.text === undefined && section.problems.length === 0) {
    all.push({ level: "error", file, message: "There is no such file." });
  } else if (section.text?.trim() === "") {
    all.push({ level: "error", file, message: "The file is empty." });
  } else if (section.problems.length === 0 && member(section.root, where.at[0]!) === undefined) {
    const message = `${quoted(file)} has no key ${quoted(where.at[0])}, under which the servers stand.`;
    all.push({ level: "error", file, message });
  }
  if (wrong) all.push({ level: "error", file, message: 'The value of "toolsift" must be an object with settings.' });
  const object = wrong ? undefined : (value as Record<string, unknown> | undefined);
  return { servers, settings: object ?? bareObject(settings.items.map((one) => [one.name, one.value])), problems: all };
}

/**
 * The servers in the text of a file, as `readConfig` reads them; undefined where the text names none.
 *
 * @throws Failure where the file is broken, or its list of servers is empty
 */
export function serversIn(text: string, file: string): Pick<Config, "servers" | "problems"> | undefined {
  const mine = ownWhere(file);
  const where = whereIn(file, SYNTAX[mine.format].read(text, []).root);
  if (where === undefined && mine.format === "json") return undefined;
  const section = sectionOf(text, where ?? mine);
  const broken = section.problems.find(({ level, server }) => level === "error" && server === undefined);
  if (broken !== undefined) throw new Failure(sentence(broken));
  if (section.names.length > 0) return resolved(section, file, placeOf());
  throw new Failure(`${file} configures no servers: its ${(where ?? mine).at.join(".")} is empty`);
}

function resolved(section: Section, file: string, place: Place): Pick<Config, "servers" | "problems"> {
  const { servers, problems } = resolve(section.found, file, place, workspaceOf(place));
  const own = section.own.map(({ name, config }): Problem => {
    const more = config === undefined ? "" : `; its servers stand in ${quoted(config)}`;
    return { level: "note", file, server: name, message: `${quoted(name)} starts toolsift itself and is left out${more}.` };
  });
  return { servers, problems: [...section.problems, ...problems, ...own] };
}

/** Where servers stand in a file of ours. */
export function ownWhere(file: string): Where {
  const format = formatOf(file);
  return { file, format, ...(format === "toml" ? { at: ["mcp_servers"], form: OWN_TOML } : OWN_PLACE) };
}

function member(root: unknown, key: string): unknown {
  if (typeof root !== "object" || root === null || !Object.hasOwn(root, key)) return undefined;
  return (root as Record<string, unknown>)[key];
}
