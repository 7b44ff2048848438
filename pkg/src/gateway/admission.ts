/** Admits the tools and skills of servers: after a review by the trust policy, and with additional search words. */

import { type Job, keptWords } from "../author/background/load.js";
import { joinedWords, withPacks } from "../packs/with-packs.js";
import { OwnedCore } from "../core/owned-core.js";
import type { ServerTools } from "../servers/config.js";
import { acceptedSkills, definitionOf, folderOf, type ServerSkill } from "../skills/entry.js";
import { served, type SkillServer } from "../skills/served.js";
import { Awaited, awaitedText } from "../trust/awaited.js";
import { foreign, foreignError } from "../trust/foreign.js";
import { inspect } from "../trust/inspect.js";
import { Names } from "../trust/names.js";
import type { WordsStatus } from "../types/index.js";
import { reasonOf } from "../base/values.js";
import { refusedOthers } from "./acceptable.js";
import type { Catalog, View } from "./catalog.js";
import type { GatewaySettings } from "./options.js";
import type { Definitions, GatewayEvent, Review, ServerStatus, ServerTool, TrustPolicy } from "./types.js";
import type { Upstream } from "./upstream.js";
import { asked } from "../skills/extension.js";

/** The maximum length of a name in texts for a person or a model, in characters. */
export const NAME_CHARS = 80;

/** The skills of a server: those that clients may read, and the URIs of the skills that the trust policy quarantines. */
export interface Skills {
  admitted: readonly ServerSkill[];
  quarantined: readonly string[];
}

const NO_SKILLS: Skills = { admitted: [], quarantined: [] };

/** The reason why a skill with changing files is quarantined: nobody can check that it is still the same. */
const DYNAMIC = "its files may change at any time, so that they cannot be pinned";

/** The servers whose tools are admitted, and the receivers of reports about them. */
export interface Admitting {
  /** Checks if a server is still configured and the gateway is open. */
  isPresent(upstream: Upstream): boolean;
  event(event: GatewayEvent): void;
  problem(message: string): void;
}

/** Stores the results of the trust policy and of the catalog for each server's tools. */
export class Admission {
  readonly #quarantined = new Map<string, Review["quarantined"]>();
  readonly #skills = new Map<string, Skills>();
  readonly #names = new Names();
  /** The index of quarantined tools; undefined until a tool is quarantined. */
  #awaited: Awaited | undefined;
  /** The latest report of suspicious or quarantined tools, by server. */
  readonly #looks = new Map<string, string>();
  readonly #rejected = new Map<string, ServerStatus["rejected"]>();
  readonly #repaired = new Map<string, Required<ServerStatus>["repaired"]>();
  /** The latest report of entries that clients would refuse, by server. */
  readonly #refused = new Map<string, string>();
  readonly #words = new Map<string, WordsStatus>();
  /** The controllers that abort the writing of search words, by server. */
  readonly #writing = new Map<string, AbortController>();
  /** The servers whose tools are in the catalog. A listed server is added only after its review, which takes time. */
  readonly #taken = new WeakSet<Upstream>();

  constructor(
    private readonly catalog: Catalog,
    private readonly settings: GatewaySettings,
    private readonly servers: Admitting,
  ) {}

  has(upstream: Upstream): boolean {
    return this.#taken.has(upstream);
  }

  /** Returns the reason why a tool or a skill is quarantined; undefined if it is not. */
  quarantineReason(server: string, tool: string): string | undefined {
    return this.#quarantined.get(server)?.find(({ name }) => name === tool || folderOf(name)?.endsWith(`/${tool}`))?.reason;
  }

  skillsOf(server: string): Skills {
    return this.#skills.get(server) ?? NO_SKILLS;
  }

  /** Returns the reason why the trust policy quarantines a skill that is in no list; undefined if it does not. */
  async unlistedReason(server: string, skill: ServerSkill): Promise<string | undefined> {
    return (await this.#review(server, [], [skill])).quarantined[0]?.reason;
  }

  /** Returns the text on quarantined tools that a client's search would have found; undefined if there are none. */
  awaited({ session }: View, query: string): string | undefined {
    const found = this.#awaited?.found(query).filter(({ server, name }) => session.admits(server, name)) ?? [];
    const way = (server: string) => foreign(this.settings.trust?.way?.(server) ?? "tell the user", NAME_CHARS * 2, "line");
    return found.length === 0 ? undefined : awaitedText(found, way);
  }

  /** Returns the results of a server's lists. */
  status({ name, definitions }: Upstream): Pick<ServerStatus, "quarantined" | "rejected" | "repaired" | "words"> {
    const words = this.#words.get(name);
    const others = refusedOthers(definitions);
    const repaired = [...(this.#repaired.get(name) ?? []), ...this.catalog.leftOf(name), ...others.repaired];
    return {
      quarantined: this.#quarantined.get(name) ?? [],
      rejected: [...(this.#rejected.get(name) ?? []), ...others.rejected],
      ...(repaired.length > 0 && { repaired }),
      ...(words !== undefined && { words }),
    };
  }

  drop(server: string): void {
    for (const map of [
      this.#quarantined,
      this.#skills,
      this.#looks,
      this.#rejected,
      this.#repaired,
      this.#refused,
      this.#words,
    ])
      map.delete(server);
    this.#names.forget(server);
    this.#awaited?.sync(server, []);
    this.catalog.drop(server);
  }

  close(): void {
    this.#awaited?.dispose();
    for (const writing of this.#writing.values()) writing.abort();
  }

  /** Registers a server's tools in the catalog. Returns true if the catalog has changed. */
  async take(upstream: Upstream, definitions: Definitions): Promise<boolean> {
    const { name, plan } = upstream;
    const { tools, prompts, resources, resourceTemplates } = definitions;
    const listed = acceptedSkills(definitions.skills ?? []).filter(({ frontmatter }) => {
      return this.catalog.takes(name, frontmatter.name, plan.tools);
    });
    const { admitted, skills, quarantined } = await this.#review(name, tools, listed);
    const { packs = this.settings.packs, enrichment } = plan.tools;
    const packed = packs ? await withPacks(admitted, enrichment) : { enrichment, problem: null };
    const kept = await keptWords(this.settings.words, admitted);
    // The server may have been removed during the review.
    if (!this.servers.isPresent(upstream)) return false;
    if (packed.problem !== null) this.servers.problem(`the packs for ${name} are left out: ${packed.problem}`);
    this.#quarantined.set(name, quarantined);
    const isQuarantined = new Set(quarantined.map((one) => one.name));
    this.#skills.set(name, {
      admitted: skills,
      quarantined: listed.map(({ uri }) => uri).filter((uri) => isQuarantined.has(uri)),
    });
    this.#await(name, [...tools, ...listed.map(waiting)], quarantined);
    const known = joinedWords(packed.enrichment, kept);
    const sync = (words: typeof kept) =>
      this.catalog.sync(name, admitted, served(skills, serverOf(upstream, this.settings)), {
        ...plan.tools,
        enrichment: joinedWords(known, words),
      } as ServerTools);
    const { isChanged, rejected, repaired, stale } = sync([]);
    this.#write(upstream, admitted, known, (words, status) => {
      if (words.length > 0) sync(words);
      this.#words.set(name, { ...status, kept: kept.length });
      this.servers.event({ type: "words", server: name, words: { ...status, kept: kept.length } });
    });
    this.#rejected.set(name, rejected);
    this.#repaired.set(name, repaired);
    this.#taken.add(upstream);
    if (stale.length > 0) this.servers.problem(staleText(name, stale));
    this.#tellOf(name, [...admitted, ...skills.map(definitionOf)], quarantined, [
      ...prompts,
      ...resources,
      ...resourceTemplates,
    ]);
    this.tellRefused(upstream);
    return isChanged;
  }

  /** Starts writing search words for a server's tools, if the settings want it. Aborts the writing for an earlier list. */
  #write(upstream: Upstream, tools: readonly ServerTool[], enrichment: Job["enrichment"], tell: Job["tell"]): void {
    this.#writing.get(upstream.name)?.abort();
    const writing = new AbortController();
    this.#writing.set(upstream.name, writing);
    this.settings.words?.write({
      server: upstream.name,
      tools,
      enrichment,
      signal: writing.signal,
      tell: (words, status) => this.servers.isPresent(upstream) && tell(words, status),
    });
  }

  /** Stores the quarantined tools, so that a search can report that it would have found them. */
  #await(server: string, tools: readonly { name: string; uri?: string }[], quarantined: Review["quarantined"]): void {
    const names = new Set(quarantined.map(({ name }) => name));
    const waits = tools.filter((tool) => names.has((Object(tool) as { uri?: string }).uri ?? (Object(tool).name as string)));
    if (waits.length > 0) this.#awaited ??= new Awaited(new OwnedCore({}));
    this.#awaited?.sync(server, waits);
  }

  /** Reports the tools of a server that a person should check, if they have changed since the last report. */
  #tellOf(
    server: string,
    admitted: readonly ServerTool[],
    quarantined: Review["quarantined"],
    others: readonly object[],
  ): void {
    const flagged = [...admitted, ...others.map(asTool)].filter((one) => inspect(one).length > 0);
    const waits = quarantined.length === 0 ? [] : [`quarantined: ${firstNames(quarantined)}`];
    const odd = flagged.length === 0 ? [] : [`suspicious texts in ${firstNames(flagged)}`];
    const alike = admitted.flatMap(({ name }) => this.#names.likeAnother({ server, name }) ?? []);
    for (const { name } of admitted) this.#names.add({ server, name });
    const text = [...waits, ...odd, ...firstOf(alike)].join("; ");
    const what = admitted.length + quarantined.length > 0 ? "tools" : "lists";
    if (text !== "" && text !== this.#looks.get(server)) this.servers.problem(`look at the ${what} of ${server}: ${text}`);
    this.#looks.set(server, text);
  }

  /** Reports the entries of a server that clients would refuse, if they have changed since the last report. */
  tellRefused({ name, definitions }: Upstream): void {
    const others = refusedOthers(definitions);
    const [rejected, repaired] = [[...(this.#rejected.get(name) ?? []), ...others.rejected], others.repaired];
    const parts = [...this.catalog.leftOf(name), ...repaired].map((one) => `${one.name} (${one.repair})`);
    const text = [...parts, ...rejected.map((one) => `${one.name} (${one.message})`)].join("; ");
    if (text !== "" && text !== this.#refused.get(name)) this.servers.problem(`${name} is listed with changes: ${text}`);
    this.#refused.set(name, text);
  }

  /**
   * Asks the trust policy about tools and skills. If the policy fails, nothing is admitted: a definition without a review
   * must not be used. A skill whose URI is the name of a tool is ignored.
   */
  async #review(
    server: string,
    tools: readonly ServerTool[],
    listed: readonly ServerSkill[],
  ): Promise<Review & { skills: ServerSkill[] }> {
    const { trust } = this.settings;
    const names = new Set(tools.map(({ name }) => name));
    const all = listed.filter(({ uri }) => !names.has(uri));
    if (trust === undefined) return { admitted: [...tools], skills: all, quarantined: [] };
    const [pinnable, dynamic] = [all.filter(isPinnable), all.filter((skill) => !isPinnable(skill))];
    const { admitted, quarantined } = await this.#reviewed(trust, server, [...tools, ...pinnable.map(definitionOf)]);
    const is = new Set(admitted.map(({ name }) => name));
    return {
      admitted: admitted.filter(({ name }) => names.has(name)),
      skills: pinnable.filter(({ uri }) => is.has(uri)),
      quarantined: [...quarantined, ...dynamic.map(({ uri }) => ({ name: uri, reason: DYNAMIC }))],
    };
  }

  async #reviewed(trust: TrustPolicy, server: string, tools: readonly ServerTool[]): Promise<Review> {
    try {
      const { admitted, quarantined } = await trust.review(server, tools);
      const isTool = (tool: unknown) => typeof (Object(tool) as { name?: unknown }).name === "string";
      if (![...admitted].every(isTool) || ![...quarantined].every(isTool))
        throw new Error("the policy admits or quarantines what has no name");
      return {
        admitted: [...admitted],
        quarantined: quarantined.map(({ name, reason }) => ({ name, reason: String(reason) })),
      };
    } catch (error) {
      const reason = `it cannot be reviewed: ${reasonOf(error)}`;
      this.servers.problem(`the tools of ${server} are quarantined: ${reason}`);
      return { admitted: [], quarantined: tools.map(({ name }) => ({ name, reason })) };
    }
  }
}

/** Converts a quarantined skill for the index that is searched. */
const waiting = ({ uri, frontmatter: { name, description } }: ServerSkill) => {
  return { kind: "skill", name, description, readable: true, uri };
};

/** Returns the functions that read a server's skills when a model has found them. */
function serverOf(upstream: Upstream, { callTimeoutMs: timeout }: GatewaySettings): SkillServer {
  return {
    listAgain: () => upstream.changes.note(),
    read: (uri) =>
      upstream
        .use((client) => asked(client, "resources/read", { uri }, { timeout }))
        .catch((error: unknown) => {
          throw new Error(foreignError(upstream.name, reasonOf(error)), { cause: error });
        }),
  };
}

const isPinnable = ({ resources }: ServerSkill): boolean => resources !== "dynamic";

function asTool(entry: object): ServerTool {
  const { name, uri, uriTemplate, title, description, _meta, ...rest } = entry as Record<string, unknown>;
  const texts = { ...(typeof title === "string" && { title }), ...(typeof description === "string" && { description }) };
  return { name: String(name ?? uri ?? uriTemplate), ...texts, inputSchema: [rest, uri, uriTemplate] };
}

const NAMED = 3;

function staleText(server: string, stale: readonly string[]): string {
  const names = firstNames(stale.map((name) => ({ name })));
  return `the enrichment of ${stale.length} tools of ${server} was written from other definitions and is ignored: ${names}`;
}

/** Returns the first names of a list, for people. */
export function firstNames(tools: readonly { name: string }[]): string {
  return firstOf(tools.map(({ name }) => foreign(name, NAME_CHARS, "line"))).join(", ");
}

const firstOf = (texts: readonly string[]): string[] => [
  ...texts.slice(0, NAMED),
  ...(texts.length > NAMED ? [`… ${texts.length - NAMED} more`] : []),
];
