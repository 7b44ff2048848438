/** A card of one's own tools: what everything costs and what is sent. A link holds its names and numbers, and no definition. */
import type { Size, ToolInfo } from "toolsift";
import type { Turn } from "../core/types.ts";
import { headlineOf, modelOf, type Prices, savedWarm } from "./bill.ts";
import { isRecord, parseJson } from "./json.ts";
import { isSent } from "./states.ts";

export interface Card {
  /** Each server with how many tools it has and the tokens of each, the largest first. */
  servers: { name: string; count: number; tools: number[] }[];
  /** Tokens of all tools. */
  full: number;
  /** Tokens of tools that a request sends, with what toolsift adds. */
  request: number;
  /** What toolsift adds of them. */
  added: number;
  /** How many tools a request sends in full, and how many of them were revealed. */
  sent: number;
  revealed: number;
  /** What a conversation costs with tool search and without, and the share saved with a warm cache, where one was played. */
  price: { ours: number; full: number; warm: number | null; model: string | null } | null;
  /** Whether tokens are estimated, not counted. */
  estimated: boolean;
  /** The doctor's grade, where the doctor has looked. */
  grade: string | null;
}

/** More tools of a server than these stand as one block. */
const MOST_TOOLS = 400;
const MOST_SERVERS = 200;

/** The card of tools as a conversation stands, with what its requests cost so far, if something was played. */
export function cardOf(
  { tools, size, turns }: { tools: readonly ToolInfo[]; size: Size; turns: readonly Turn[] },
  { prices, estimated, grade }: { prices: Prices; estimated: boolean; grade: string | null },
): Card {
  const { full, request, parts } = size;
  const { unit, ours, full: dear, share } = headlineOf(turns, size, prices);
  const byServer = new Map<string, number[]>();
  for (const { server, tokens } of tools) {
    const own = byServer.get(server ?? "");
    if (own) own.push(tokens);
    else byServer.set(server ?? "", [tokens]);
  }
  const servers = [...byServer].map(([name, own]) => ({
    name: name === "" ? "own tools" : name,
    count: own.length,
    tools: own.length > MOST_TOOLS ? [sum(own)] : own,
  }));
  servers.sort((a, b) => sum(b.tools) - sum(a.tools));
  return {
    servers: servers.slice(0, MOST_SERVERS),
    full: full.tokens,
    request: request.tokens,
    added: sum([parts.discovery, parts.prompt, parts.listing, parts.stubs].map(({ tokens }) => tokens)),
    sent: tools.filter(isSent).length,
    revealed: parts.revealed.tools,
    price:
      unit === "dollars" && share !== null
        ? { ours, full: dear, warm: savedWarm(turns, prices), model: modelOf(prices) }
        : null,
    estimated,
    grade,
  };
}

/** The server that costs most, and its share. */
export function heaviestOf({ servers, full }: Card): { name: string; share: number } | null {
  const [first] = servers;
  return first && full > 0 ? { name: first.name, share: Math.min(1, sum(first.tools) / full) } : null;
}

/** The card as a part of an address. */
export async function writeCard(card: Card): Promise<string> {
  const text = new Blob([JSON.stringify(card)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Characters of a card in an address, and of its text, that are read at most. */
const MOST_WRITTEN = 32_000;
const MOST_READ = 400_000;

/** Null where the text is no card. */
export async function readCard(written: string): Promise<Card | null> {
  if (written.length > MOST_WRITTEN) return null;
  try {
    const binary = atob(written.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > MOST_READ) return null;
    }
    return cardIn(parseJson(text));
  } catch {
    return null;
  }
}

function cardIn(value: unknown): Card | null {
  if (!isRecord(value) || !Array.isArray(value["servers"]) || value["servers"].length > MOST_SERVERS) return null;
  const servers = value["servers"].filter(isRecord).map(({ name, count, tools }) => ({
    name: typeof name === "string" ? name.slice(0, 64) : "",
    count: isAmount(count) ? count : 0,
    tools: Array.isArray(tools) ? tools.filter(isAmount).slice(0, MOST_TOOLS) : [],
  }));
  const { price, estimated, grade } = value;
  const amounts = ["full", "request", "added", "sent", "revealed"].map((name) => value[name]);
  if (!amounts.every(isAmount)) return null;
  const [full = 0, request = 0, added = 0, sent = 0, revealed = 0] = amounts;
  const { ours, full: dear, warm: share, model } = isRecord(price) ? price : {};
  const warm = typeof share === "number" && Math.abs(share) < 1000 ? share : null;
  const named = typeof model === "string" ? model.slice(0, 40) : null;
  return {
    servers,
    full,
    request,
    added,
    sent,
    revealed,
    price: isAmount(ours) && isAmount(dear) ? { ours, full: dear, warm, model: named } : null,
    estimated: estimated === true,
    grade: typeof grade === "string" && /^[A-E]$/.test(grade) ? grade : null,
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e12;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** A grade for a catalog: by the share of its tools of which the doctor says something worse than a note. */
export function gradeOf(findings: readonly { level: string; tools: readonly string[] }[], tools: number): string {
  const named = new Set(findings.filter(({ level }) => level !== "note").flatMap((one) => one.tools));
  const share = tools > 0 ? named.size / tools : 0;
  if (share === 0) return "A";
  return share < 0.05 ? "B" : share < 0.2 ? "C" : share < 0.5 ? "D" : "E";
}
