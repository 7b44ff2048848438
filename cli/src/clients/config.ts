/** Reads toolsift's own configuration, the file of `npx toolsift mcp --config FILE`. */

import { Failure } from "../base/failure.js";
import { isObject } from "../base/values.js";
import { placeOf } from "./places.js";
import { resolve, sentence, workspaceOf } from "./resolve.js";
import { formatOf, readSection, sectionOf, SYNTAX, type Where } from "./section.js";
import { quoted } from "../output/escape.js";
import { CODEX, COMMON, type Form } from "./table.js";
import type { NamedServer, Place, Problem } from "./types.js";

/** The form of entries in our own file: Cursor's, with the variables of all clients. Keys of other clients are read too. */
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

/** The places of servers in the JSON files of clients. The first place that exists in a file is used. */
const PLACES: readonly InFile[] = [
  OWN_PLACE,
  { at: ["servers"], form: OWN_FORM },
  { at: ["context_servers"], form: OWN_FORM },
  { at: ["mcp", "servers"], form: WITH_BRACES },
  { at: ["mcp"], form: WITH_BRACES, skip: ["servers", "timeout"] },
];

/** The servers and settings of a configuration. */
export interface Config {
  servers: NamedServer[];
  /** The unchanged object under the key `toolsift`; `{}` if there is none. */
  settings: Record<string, unknown>;
  /** Errors and notes. If the file cannot be read at all, there is an error and no server. */
  problems: Problem[];
}

/**
 * Reads a configuration in Cursor's form, with comments allowed, or in Codex' form if the name ends in `.toml`. Variables
 * are replaced. If the file is broken, returns the servers that can be read. Never throws.
 */
export async function readConfig(file: string, given: Partial<Place> = {}): Promise<Config> {
  const section = await readSection(ownWhere(file));
  if (section.text !== undefined) return configIn(section.text, file, placeOf(given));
  const missing: Problem = { level: "error", file, message: "There is no such file." };
  return { servers: [], settings: {}, problems: section.problems.length > 0 ? section.problems : [missing] };
}

/**
 * Reads the servers in the text of a file, like `readConfig`. Returns undefined if the text has no place for servers.
 *
 * @throws Failure if the file is broken, or if its list of servers is empty
 */
export function serversIn(text: string, file: string): Pick<Config, "servers" | "problems"> | undefined {
  const where = whereIn(text, file);
  if (where === undefined && formatOf(file) === "json") return undefined;
  const { servers, problems } = configIn(text, file, placeOf());
  const broken = problems.find(({ level, server }) => level === "error" && server === undefined);
  if (broken !== undefined) throw new Failure(sentence(broken));
  if (servers.length + problems.length > 0) return { servers, problems };
  throw new Failure(`${file} configures no servers: its ${(where ?? ownWhere(file)).at.join(".")} is empty`);
}

function configIn(text: string, file: string, place: Place): Config {
  const where = whereIn(text, file) ?? ownWhere(file);
  const section = sectionOf(text, where);
  const { servers, problems } = resolve(section.found, file, place, workspaceOf(place));
  const own = section.own.map(({ name, config }): Problem => {
    const more = config === undefined ? "" : `; its servers stand in ${quoted(config)}`;
    return { level: "note", file, server: name, message: `${quoted(name)} starts toolsift itself and is left out${more}.` };
  });
  const all = [...section.problems, ...problems, ...own];
  const fail = (message: string) => void all.push({ level: "error", file, message });
  const [key] = where.at;
  if (text.trim() === "") fail("The file is empty.");
  else if (section.problems.length === 0 && member(section.root, key!) === undefined) {
    fail(`${quoted(file)} has no key ${quoted(key)}, under which the servers stand.`);
  }
  const settings = member(section.root, "toolsift") ?? {};
  if (isObject(settings)) return { servers, settings, problems: all };
  fail('The value of "toolsift" must be an object with settings.');
  return { servers, settings: {}, problems: all };
}

/** Returns the place of the servers in a text, or undefined if there is none. */
function whereIn(text: string, file: string): Where | undefined {
  const mine = ownWhere(file);
  const { root } = SYNTAX[mine.format].read(text, []);
  const places = mine.format === "toml" ? [mine] : PLACES.map((place) => ({ ...mine, ...place }));
  return places.find(({ at }) => {
    const there = at.reduce(member, root);
    return typeof there === "object" && there !== null;
  });
}

/** Returns the place of the servers in a configuration file of toolsift. */
export function ownWhere(file: string): Where {
  const format = formatOf(file);
  return { file, format, ...(format === "toml" ? { at: ["mcp_servers"], form: OWN_TOML } : OWN_PLACE) };
}

function member(root: unknown, key: string): unknown {
  return isObject(root) && Object.hasOwn(root, key) ? root[key] : undefined;
}
