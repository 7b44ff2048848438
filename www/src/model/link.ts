/** Writes and reads links to the page's state: the request, and the visitor's tools as compressed names and sizes. */
import type { Catalog, Found, Hit, Play } from "../core/types.ts";

export interface Linked {
  query: string | null;
  /** The servers: how each is started, and its tools. */
  servers: { server: string; start: string | null; tools: [name: string, chars: number][] }[] | null;
  /** The result of the request, made when the definitions were known. */
  found: Found | null;
}

const CONFIDENCES = ["none", "low", "high"] as const;

/** The maximum number of characters of a request. */
export const LONGEST = 500;

/** Returns the part of an address that begins with `#`. */
export async function written({ own, servers }: Catalog, play: Play): Promise<string> {
  const given = new URLSearchParams({ q: play.query });
  if (own) {
    const names = servers.flatMap(({ tools }) => tools.map(({ name }) => name));
    const lists = servers.map((one) => [one.server, one.start, ...one.tools.flatMap(({ name, chars }) => [name, chars])]);
    const hits = play.hits.map(({ name, score }) => [names.indexOf(name), Math.round(score * 1000)]);
    const loaded = play.picked ? [] : play.loaded.map((name) => names.indexOf(name));
    given.set("t", await packed([lists, CONFIDENCES.indexOf(play.confidence), hits, loaded, play.ahead]));
  }
  return `#${given}`;
}

/** Reads the state from an address. Invalid parts, for example edited by hand, are left out. */
export async function read(hash: string): Promise<Linked> {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const query = given.get("q")?.slice(0, LONGEST) || null;
  const tools = given.get("t");
  const value = tools === null ? null : await unpacked(tools).catch(() => null);
  if (!Array.isArray(value)) return { query, servers: null, found: null };
  const [lists, confidence, hits, loaded, ahead] = value as unknown[];
  const servers = listsOf(lists).map(([server, start, ...rest]) => ({
    server: String(server),
    start: typeof start === "string" ? start : null,
    tools: pairsOf(rest).map(([name, chars]): [string, number] => [String(name), whole(chars, 400_000)]),
  }));
  const names = servers.flatMap(({ server, tools }) => tools.map(([name]) => ({ name, server })));
  const found: Found = {
    confidence: CONFIDENCES[whole(confidence, 2)] ?? "none",
    hits: listsOf(hits).flatMap(([at, score]): Hit[] => {
      const tool = names[whole(at, names.length)];
      return tool ? [{ ...tool, score: whole(score, 100_000) / 1000 }] : [];
    }),
    loaded: (Array.isArray(loaded) ? loaded : []).flatMap((at) => names[whole(at, names.length)]?.name ?? []),
    ahead: ahead === true,
  };
  return { query, servers: servers.length > 0 ? servers : null, found };
}

function listsOf(value: unknown): unknown[][] {
  return Array.isArray(value) ? value.filter((one) => Array.isArray(one)) : [];
}

function pairsOf(values: unknown[]): [unknown, unknown][] {
  return values.flatMap((value, at) => (at % 2 === 0 ? [[value, values[at + 1]] as [unknown, unknown]] : []));
}

function whole(value: unknown, most: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? Math.min(value, most) : 0;
}

async function packed(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The maximum number of characters of JSON, because a small link can contain a large compressed text. */
const MOST = 5_000_000;

async function unpacked(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let json = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    json += part.value;
    if (json.length > MOST) throw new Error("the link holds too much");
  }
  return JSON.parse(json) as unknown;
}
