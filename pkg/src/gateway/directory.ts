/** The prompts, resources, templates and skills of all servers: one list of each kind, and the server of each entry. */

import { folderOf, MOST_PARTS, partsOf, type ServerSkill, type SkillFile } from "../skills/entry.js";
import { neutralIn } from "../trust/inspect.js";
import { acceptedOthers } from "./acceptable.js";
import type { Skills } from "./admission.js";
import type { Upstream } from "./upstream.js";

/** The maximum number of servers that are asked for a resource that no server lists. */
const MOST_ASKED = 8;

/** An entry of a server's list, under the name that clients see. */
export interface Listed<T> {
  upstream: Upstream;
  /** The server's own name or URI. */
  own: string;
  /** The entry as clients see it. */
  shown: T;
}

/** The current lists of all servers. */
export class Directory {
  readonly prompts = new Map<string, Listed<{ name: string }>>();
  readonly resources = new Map<string, Listed<{ uri: string }>>();
  readonly resourceTemplates = new Map<string, Listed<{ uriTemplate: string }>>();
  readonly skills = new Map<string, Listed<ServerSkill>>();
  /** The files of skills, by their URIs for clients. */
  readonly #files = new Map<string, { upstream: Upstream; own: string }>();
  /** The entries of each skill file, by server and path: at most two different entries of one file. */
  readonly #listed = new Map<string, SkillFile[]>();
  /** The folders of quarantined skills, in lower case. */
  readonly #quarantined = new Map<Upstream, ReadonlySet<string>>();

  /** @param skillsOf returns the skills of a server after the trust policy's review */
  constructor(
    private readonly upstreams: readonly Upstream[],
    skillsOf: (server: string) => Skills,
  ) {
    for (const upstream of upstreams) {
      const { admitted, quarantined } = skillsOf(upstream.name);
      if (quarantined.length > 0)
        this.#quarantined.set(upstream, new Set(quarantined.map((uri) => anyCase(folderOf(uri)!).join("/"))));
      for (const skill of admitted) this.#addSkill(upstream, skill);
      const { prompts, resources, resourceTemplates } = acceptedOthers(upstream.definitions);
      for (const prompt of prompts) {
        const name = this.prompts.has(prompt.name) ? `${upstream.name}__${prompt.name}` : prompt.name;
        this.prompts.set(name, { upstream, own: prompt.name, shown: shownAs(upstream, prompt, { name }) });
      }
      for (const resource of resources) {
        if (this.isQuarantined(upstream, resource.uri)) continue;
        const uri = this.#isTaken(upstream, resource.uri) ? prefixed(upstream, resource.uri) : resource.uri;
        this.resources.set(uri, { upstream, own: resource.uri, shown: shownAs(upstream, resource, { uri }) });
      }
      for (const template of resourceTemplates) {
        const { uriTemplate: own } = template;
        const uriTemplate = this.resourceTemplates.has(own) ? prefixed(upstream, own) : own;
        this.resourceTemplates.set(uriTemplate, { upstream, own, shown: shownAs(upstream, template, { uriTemplate }) });
      }
    }
  }

  /**
   * Adds a skill. Its content stays unchanged, because clients compare it with its files. If another server has one of its
   * URIs, all its URIs get a prefix.
   */
  #addSkill(upstream: Upstream, skill: ServerSkill): void {
    const files = filesOf(skill);
    const isTaken = [skill, ...files].some(({ uri }) => this.#isTaken(upstream, uri) || this.skills.has(uri));
    for (const file of files) {
      const known = this.listedFiles(upstream, file.uri);
      const isKnown = known.some(({ digest, size }) => digest === file.digest && size === file.size);
      if (!isKnown && known.length < 2) this.#listed.set(fileKey(upstream, file.uri), [...known, file]);
    }
    const shown = isTaken ? this.prefixedSkill(upstream, skill) : skill;
    this.skills.set(shown.uri, { upstream, own: skill.uri, shown });
    for (const [at, { uri }] of filesOf(shown).entries()) this.#files.set(uri, { upstream, own: files[at]!.uri });
  }

  prefixedSkill(upstream: Upstream, skill: ServerSkill): ServerSkill {
    const outward = <T extends { uri: string }>(one: T): T => ({ ...one, uri: prefixed(upstream, one.uri) });
    return { ...outward(skill), resources: skill.resources === "dynamic" ? "dynamic" : skill.resources.map(outward) };
  }

  #isTaken(upstream: Upstream, uri: string): boolean {
    const file = this.#files.get(uri);
    return this.resources.has(uri) || (file !== undefined && file.upstream !== upstream);
  }

  /** Returns a server's entries of a file, which must all match its content: several skills may share a file. */
  listedFiles(upstream: Upstream, uri: string): readonly SkillFile[] {
    return this.#listed.get(fileKey(upstream, uri)) ?? [];
  }

  /** Checks if a URI of a server is in the folder of a quarantined skill. */
  isQuarantined(upstream: Upstream, uri: string): boolean {
    const folders = this.#quarantined.get(upstream);
    if (folders === undefined) return false;
    const parts = anyCase(uri);
    const depth = Math.min(parts.length, MOST_PARTS);
    for (let at = 1; at <= depth; at++) if (folders.has(parts.slice(0, at).join("/"))) return true;
    return false;
  }

  /** Returns the servers that may have a resource, most likely first, with its URI there; not if it is quarantined. */
  owners(uri: string): { upstream: Upstream; uri: string }[] {
    return this.#owners(uri).filter((owner) => !this.isQuarantined(owner.upstream, owner.uri));
  }

  #owners(uri: string): { upstream: Upstream; uri: string }[] {
    const file = this.#files.get(uri);
    if (file !== undefined) return [{ upstream: file.upstream, uri: file.own }];
    const listed = this.resources.get(uri);
    if (listed !== undefined) return [{ upstream: listed.upstream, uri: listed.own }];
    for (const upstream of this.upstreams) {
      const prefix = prefixed(upstream, "");
      if (uri.startsWith(prefix)) return [{ upstream, uri: uri.slice(prefix.length) }];
    }
    const fitting = [...this.resourceTemplates.values()].filter(({ own }) => matches(own, uri));
    // The most specific template is used, so that a server with a template for everything gets no URIs of other servers.
    fitting.sort((one, other) => literals(other.own) - literals(one.own));
    const [closest] = fitting;
    if (closest !== undefined) return [{ upstream: closest.upstream, uri }];
    const scheme = uri.slice(0, uri.indexOf(":") + 1);
    const has = ({ definitions }: Upstream) => definitions?.capabilities["resources"] !== undefined;
    const knows = ({ definitions }: Upstream) => {
      const { resources = [], resourceTemplates = [] } = definitions ?? {};
      return [...resources.map((one) => one.uri), ...resourceTemplates.map((one) => one.uriTemplate)].some((one) => {
        return one.startsWith(scheme);
      });
    };
    const serving = this.upstreams.filter(has);
    const sorted = [...serving.filter(knows), ...serving.filter((upstream) => !knows(upstream))];
    return sorted.slice(0, MOST_ASKED).map((upstream) => ({ upstream, uri }));
  }

  /** Returns the URI of a server's resource for clients. */
  outward(upstream: Upstream, uri: string): string {
    const listed = this.resources.get(uri);
    if (listed === undefined || listed.upstream === upstream) return uri;
    const other = prefixed(upstream, uri);
    return this.resources.has(other) ? other : uri;
  }
}

/** The key in `_meta` for the name of an entry's server. */
const SERVER = "toolsift/server";

/** Returns an entry for clients: with visible hidden characters, its server's name, and the name or URI for requests. */
function shownAs<T extends object, N extends object>(upstream: Upstream, entry: T, named: N): T & N {
  return ofServer(upstream, { ...neutralIn(entry), ...named });
}

/** Adds the server's name to an entry's `_meta`. */
export function ofServer<T extends object>({ name }: Upstream, entry: T): T {
  const { _meta } = entry as { _meta?: unknown };
  return { ...entry, _meta: { ...(Object(_meta) as object), [SERVER]: name } };
}

/** Returns the URI of a server's resource if another server has the same URI. A scheme may contain a plus sign. */
export function prefixed({ name }: Upstream, uri: string): string {
  return `${name.replace(/[^A-Za-z0-9.-]/g, "-").replace(/^[^A-Za-z]/, "s$&")}+${uri}`;
}

const fileKey = ({ name }: Upstream, uri: string): string => JSON.stringify([name, ...partsOf(uri)]);

/** Splits a URI into parts in lower case, for servers that ignore case. */
const anyCase = (uri: string): string[] => partsOf(uri).map((part) => part.toLowerCase());

const filesOf = ({ resources }: ServerSkill): readonly SkillFile[] => (resources === "dynamic" ? [] : resources);

const EXPRESSION = /\{([^{}]*)\}/;

/**
 * Checks if a server's template matches a URI, in linear time: a regular expression made of the template could take hours.
 * Each expression matches as few characters as possible; only expressions with an operator match slashes.
 */
function matches(template: string, uri: string): boolean {
  const [first = "", ...rest] = template.split(EXPRESSION);
  if (rest.length === 0) return uri === first;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (let part = 0; part < rest.length; part += 2) {
    const [expression, literal] = [rest[part]!, rest[part + 1]!];
    const isLast = part + 2 === rest.length;
    const next = isLast ? uri.length - literal.length : uri.indexOf(literal, at);
    if (next < at || (isLast && !uri.endsWith(literal))) return false;
    if (/^\w/.test(expression) && uri.slice(at, next).includes("/")) return false;
    at = next + literal.length;
  }
  return true;
}

/** Returns the number of literal characters in a template. */
function literals(template: string): number {
  return template.replace(/\{[^{}]*\}/g, "").length;
}
