/** The package's own rankers, each with the profile that it belongs to, as a program uses them. */

import { loadedBy } from "./loading.mjs";

/** Returns the names of the discovery tools of all profiles. A tool without a server may not have such a name. */
const reservedNames = (ToolSift) => new Set(ToolSift.profiles().flatMap(({ surface }) => surface));

/** The names of rankers in tables, if they differ. The fuzzy stage is half of the pattern ranker. */
const SHOWN = { pattern: "pattern+fuzzy" };

/** The profile that loads the tools that it finds, and its ranker. */
const OURS = "sift";
/** The ranker with translations from everyday words, as `toolsift()` has them. */
const TRANSLATED = "sift+translations";
/** The ranker with translations and enrichment: the set's own, and the one that this project wrote. */
const ENRICHED = "sift+enriched";
const REWRITTEN = "sift+rewritten";
/** The field of a set with the enrichment for each of these rankers. */
export const WORDS = { [ENRICHED]: "enrichment", [REWRITTEN]: "rewritten" };

/** Returns the rankers of the package by shown name, each with the first profile that has it. */
export function ownRankers(ToolSift) {
  const rankers = new Map();
  for (const { name: profile, search } of ToolSift.profiles()) {
    const shown = SHOWN[search.ranker] ?? search.ranker;
    if (!rankers.has(shown)) rankers.set(shown, profile);
  }
  const plain = [...rankers].map(([name, profile]) => ({
    ...ownRanker(ToolSift, profile, name, {}),
    also: Object.keys(SHOWN).filter((ranker) => SHOWN[ranker] === name),
  }));
  const translated = [TRANSLATED, ...Object.keys(WORDS)].map((name) => ({
    name,
    label: name,
    also: [],
    index: (tools, set) => indexOf(ToolSift, OURS, tools, {}, set[WORDS[name]], set.translations),
  }));
  return [...plain, ...translated];
}

/** Returns the ranker of a profile with changed search settings, under its own name. */
export const ownRanker = (ToolSift, profile, name, search) => ({
  name,
  label: name,
  also: [],
  index: (tools) => indexOf(ToolSift, profile, tools, search),
});

/**
 * Returns the tools that the package accepts, in the order for every ranker, and the number of refused tools with the first
 * reason. Names that vendors refuse are kept if possible. Tools that need an alias come last.
 */
export function acceptedBy(ToolSift, tools) {
  const reserved = reservedNames(ToolSift);
  const written = tools.map((tool) => ({ ...tool, registered: registeredName(tool, reserved) }));
  const sift = openFor(ToolSift, ToolSift.profiles()[0].name, tools.length);
  try {
    const plain = register(sift, written, "any");
    const aliased = register(sift, plain.refused, "alias");
    return {
      tools: [
        ...plain.taken.map(({ tool }) => ({ ...tool, names: "any" })),
        ...aliased.taken.map(({ tool }) => ({ ...tool, names: "alias" })),
      ],
      refused: aliased.refused.length,
      reason: aliased.reason,
    };
  } finally {
    sift.dispose();
  }
}

const registeredName = ({ name, server }, reserved) => (server === null && reserved.has(name) ? `${name}_2` : name);

function indexOf(ToolSift, profile, tools, search, enrichment, translations) {
  const sift = openFor(ToolSift, profile, tools.length, { search, translations });
  const owns = registerAccepted(sift, tools, enrichment);
  const nameOf = (name) => owns.get(name)?.name;
  const namesOf = (hits) => hits.map(({ name }) => nameOf(name));
  const tokensOf = new Map(sift.tools().map(({ name, tokens }) => [name, tokens]));
  const load = (query) => {
    const { names, tokens } = loadedBy(sift, tokensOf, query);
    return { names: names.map(nameOf), tokens };
  };
  return {
    ...(profile === OURS && { load }),
    search: (query, limit) => namesOf(sift.search(query, { limit }).hits),
    judge: (query, limit) => {
      const { hits, confidence, overChance } = sift.search(query, { limit });
      return { ranked: namesOf(hits), confidence, overChance };
    },
    dispose: () => sift.dispose(),
  };
}

/** Registers tools that `acceptedBy` has returned. Returns the tool for each name that the model sees. */
export function registerAccepted(sift, tools, enrichment) {
  const owns = new Map();
  for (const names of ["any", "alias"]) {
    const some = tools.filter((tool) => tool.names === names);
    const { taken, refused, reason } = register(sift, some, names, enrichment);
    if (refused.length > 0) throw new Error(`a catalog refuses what another took: ${reason}`);
    for (const { tool, modelName } of taken) owns.set(modelName, tool);
  }
  return owns;
}

/**
 * Opens a catalog with a profile, with two changes: all tools are searched and not only deferred ones, and small catalogs
 * are searched too.
 */
function openFor(ToolSift, profile, size, { search, translations } = {}) {
  const limits = { tools: Math.max(size, 1) };
  return new ToolSift({ profile, search: { ...search, universe: "all" }, translations, activation: "on", limits });
}

function register(sift, tools, names, enrichment) {
  const definitions = tools.map(({ registered, names: _, parameters, server, ...others }) => ({
    ...others,
    name: registered,
    parameters: parameters ?? { type: "object", properties: {} },
    ...(server === null ? {} : { server }),
  }));
  const { registered, rejected } = sift.register(definitions, { names, enrichment });
  const out = new Set(rejected.map(({ index }) => index));
  const taken = tools.filter((_, index) => !out.has(index)).map((tool, at) => ({ tool, modelName: registered[at] }));
  const reason = rejected.length > 0 ? rejected[0].message : undefined;
  return { taken, refused: tools.filter((_, index) => out.has(index)), reason };
}
