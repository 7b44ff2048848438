/** Everything on the page that can be gone to by its name: views, tools, servers, ways to bring tools, profiles, settings. */
import type { ProfileName } from "toolsift";
import type { Snapshot } from "../core/types.ts";
import type { Place, View } from "./address.ts";
import { SETTINGS, type NamedSetting } from "./labels.ts";
import { plural } from "./numbers.ts";
import { modelOf } from "./settings.ts";

export const VIEW_NAMES: Record<View, string> = {
  overview: "Overview",
  conversation: "Conversation",
  compare: "Compare",
  search: "Search lab",
  catalog: "Catalog & doctor",
  use: "Use it",
};

export const DOORS = { paste: "Paste", files: "Files", live: "Live server", gallery: "Gallery" };

export type Door = keyof typeof DOORS;

export type Target =
  | { kind: "view"; view: View; place?: Partial<Place> }
  | { kind: "query"; query: string }
  | { kind: "door"; door: Door }
  | { kind: "profile"; profile: ProfileName }
  | { kind: "setting"; setting: NamedSetting };

export interface Entry {
  /** Unique among all entries. */
  id: string;
  /** What kind of thing it is, in a word. */
  sort: string;
  title: string;
  detail: string;
  target: Target;
}

/** Parts of views that have a name of their own. */
const PARTS: readonly { title: string; view: View; tab: string }[] = [
  { title: "Map of the catalog", view: "catalog", tab: "map" },
  { title: "Doctor: what is wrong with the tools", view: "catalog", tab: "doctor" },
  { title: "Many queries at once", view: "search", tab: "many" },
  { title: "Bill of the conversation", view: "conversation", tab: "bill" },
  { title: "Request as it is sent", view: "conversation", tab: "request" },
];

/** They are there only under some values of others. */
const AT_TIMES: readonly string[] = [
  "fromTools",
  "fromTokens",
  "fromPercent",
  "stubWhen",
  "budgetTools",
  "budgetTokens",
  "synonyms",
];

/** All that there is but the tools, which are many. */
export function entriesOf({ sources, profiles }: Snapshot): Entry[] {
  const entry = (sort: string, key: string, title: string, detail: string, target: Target): Entry => ({
    id: `${sort} ${key}`,
    sort,
    title,
    detail,
    target,
  });
  return [
    ...(Object.entries(VIEW_NAMES) as [View, string][]).map(([view, title]) =>
      entry("view", view, title, "", { kind: "view", view }),
    ),
    ...PARTS.map(({ title, view, tab }) =>
      entry("view", `${view} ${tab}`, title, VIEW_NAMES[view], { kind: "view", view, place: { tab } }),
    ),
    ...(Object.entries(DOORS) as [Door, string][]).map(([door, title]) =>
      entry("your tools", door, `Bring your tools: ${title}`, "", { kind: "door", door }),
    ),
    ...profiles.all.map((row) =>
      entry("profile", row.name, row.name, modelOf(row, profiles), { kind: "profile", profile: row.name }),
    ),
    ...(Object.entries(SETTINGS) as [NamedSetting, string][])
      .filter(([setting]) => !AT_TIMES.includes(setting))
      .map(([setting, title]) => entry("setting", setting, title, "", { kind: "setting", setting })),
    ...sources.map(({ server, registered }) =>
      entry("server", server, server, plural(registered, "tool"), {
        kind: "view",
        view: "catalog",
        place: { tab: "map", zoom: server },
      }),
    ),
  ];
}

export function toolEntry({ name, server }: { name: string; server: string | null }): Entry {
  const target: Target = { kind: "view", view: "catalog", place: { at: name } };
  return { id: `tool ${name}`, sort: "tool", title: name, detail: server ?? "", target };
}

/** Entries that have every word of a text, those that begin with it first. Without a text, all. */
export function matching<One extends Pick<Entry, "title" | "detail">>(entries: readonly One[], text: string): One[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...entries];
  const places = entries.flatMap((entry) => {
    const title = entry.title.toLowerCase();
    const all = `${title} ${entry.detail.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    const first = title.indexOf(words[0] as string);
    // At its beginning, at the beginning of a word, somewhere.
    const place = first === 0 ? 0 : first > 0 && !/[a-z0-9]/.test(title[first - 1] as string) ? 1 : 2;
    return [{ entry, place }];
  });
  return places.toSorted((a, b) => a.place - b.place).map(({ entry }) => entry);
}
