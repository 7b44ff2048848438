/**
 * What a conversation costs: every request with its tools, its prompt section and everything said before, the words that the
 * model writes, and what a prompt cache keeps. The same tasks with every tool sent in full need no searches, and so fewer
 * requests; they are priced in the same way.
 */
import type { Size } from "toolsift";
import type { Turn } from "../core/types.ts";
import { plural } from "./numbers.ts";

/** Dollars for a million tokens, and what is assumed of the host. */
export interface Prices {
  /** Tokens that no cache is used for. */
  input: number;
  cached: number;
  /** Tokens that are written to the cache. */
  write: number;
  output: number;
  /** Whether the vendor's prompt cache is used. */
  cache: boolean;
  /** Shorter beginnings are not cached. */
  leastCached: number;
  /** Tokens of the host's own prompt and the messages before. */
  context: number;
  /** Tokens of the result of a real tool. */
  result: number;
  /** Tokens of the model's words to the user. */
  words: number;
}

/** Where another conversation has just sent the tools of the first request, the cache holds them. */
type Assumed = Prices & { warm?: boolean };

/** The most that an amount can be: dollars, or tokens. */
export const MOST_AMOUNT = 1_000_000;

type Rates = Pick<Prices, "input" | "cached" | "write" | "output">;

/** What a model costs, and where that was read. */
interface Model {
  rates: Rates;
  date: string;
  source: string;
}

const ANTHROPIC = { date: "November 2026", source: "https://platform.claude.com/docs/en/about-claude/pricing" };

export const MODELS: Record<string, Model> = {
  "Claude Sonnet 4.6": { rates: { input: 3, cached: 0.3, write: 3.75, output: 15 }, ...ANTHROPIC },
  "Claude Opus 4.6": { rates: { input: 5, cached: 0.5, write: 6.25, output: 25 }, ...ANTHROPIC },
  "Claude Haiku 4.5": { rates: { input: 1, cached: 0.1, write: 1.25, output: 5 }, ...ANTHROPIC },
  // OpenAI bills what goes into its cache as any input.
  "GPT-5": {
    rates: { input: 1.25, cached: 0.125, write: 1.25, output: 10 },
    date: "April 2026",
    source: "https://platform.openai.com/docs/pricing",
  },
};

/** The model with exactly these rates, if there is one. */
export function modelOf(prices: Prices): string | null {
  const keys = ["input", "cached", "write", "output"] as const;
  return Object.keys(MODELS).find((name) => keys.every((key) => MODELS[name]?.rates[key] === prices[key])) ?? null;
}

export const DEFAULT_PRICES: Prices = {
  ...(MODELS["Claude Sonnet 4.6"] as Model).rates,
  cache: true,
  leastCached: 1024,
  context: 500,
  result: 300,
  words: 60,
};

/** What a bill of these requests is of. */
function spanOf(turns: readonly Turn[]): string {
  if (!isPlayed(turns)) return "First request";
  return turns.at(-1)?.does === "answer" ? "Whole conversation" : "Conversation so far";
}

function isPlayed(turns: readonly Turn[]): boolean {
  return turns.some(({ does }) => does !== null);
}

/** What a bill of these requests is of, how many they are, and what is left out. */
export function spanText(turns: readonly Turn[]): string {
  const span = spanOf(turns);
  if (!isPlayed(turns)) return `${span}. The answer is not there yet.`;
  const all = plural(sentOf(turns).length, "request");
  return turns.at(-1)?.does === null ? `${all} so far. The next is not sent yet.` : `${span}: ${all}.`;
}

/** What a request is called; the newest is not sent before the model answers it. */
export function requestName({ number, does }: Turn): string {
  return does === null && number > 1 ? "Next request" : `Request ${number}`;
}

/** The one figure of the page: the tools of the first request in tokens, and once a conversation was played, its price. */
export interface Headline {
  span: string;
  unit: "tokens" | "dollars";
  ours: number;
  full: number;
  /** The share that is saved; negative where it costs more, and null where calls did not run: then the prices are not of the same work. */
  share: number | null;
}

export function headlineOf(turns: readonly Turn[], { full, request, saved }: Size, prices: Prices): Headline {
  const span = spanOf(turns);
  if (!isPlayed(turns))
    return { span, unit: "tokens", ours: full.tools && request.tokens, full: full.tools && full.tokens, share: saved.share };
  const [ours, dear] = [billOf(turns, prices), fullBillOf(turns, prices)];
  return {
    span,
    unit: "dollars",
    ours: ours.price,
    full: dear.price,
    share: undoneIn(turns) > 0 ? null : savedOf(ours, dear),
  };
}

/** One request, in tokens and dollars. */
export interface BillRow {
  turn: number;
  input: number;
  cached: number;
  fresh: number;
  output: number;
  price: number;
}

export interface Bill {
  rows: BillRow[];
  requests: number;
  input: number;
  cached: number;
  output: number;
  price: number;
}

/** A request as the bill sees it. */
interface Request {
  turn: number;
  /** Tokens of tools and prompt section. */
  head: number;
  /** How many of them the request before begins with too; the whole head where it is the same. */
  kept: number;
  same: boolean;
  /** Tokens that are new in the messages. */
  said: number;
  output: number;
}

/** What this conversation costs, without the request that the model has not answered yet. */
export function billOf(turns: readonly Turn[], prices: Assumed): Bill {
  return priced(
    sentOf(turns).map((turn) => ({
      turn: turn.number,
      head: turn.size.request.tokens,
      kept: turn.kept.tokens,
      same: turn.kept.whole,
      said: saidBefore(turns, turn.number, prices),
      output: outputOf(turn, prices),
    })),
    prices,
  );
}

/**
 * The same tasks with every tool in every request: real calls and answers stay, searches and loads are not needed. `tokens`
 * is the size of all definitions; by default what the core measured.
 */
export function fullBillOf(turns: readonly Turn[], prices: Assumed, tokens?: number): Bill {
  const requests: Request[] = [];
  let said = 0;
  const sent = sentOf(turns);
  for (const turn of sent) {
    said += turn.saidTokens;
    const { does } = turn;
    const real = does !== null && does !== "answer" && does.outcome.kind === "dispatch";
    const open = does === null || does === "answer";
    // While the model only searches, the request with everything is out, and its answer is not there yet.
    if (!real && !open && turn !== sent.at(-1)) continue;
    const call = real ? does.directTokens : 0;
    const head = tokens ?? turn.size.full.tokens;
    const before = requests.at(-1);
    const same = before !== undefined && before.head === head;
    requests.push({
      turn: turn.number,
      head,
      kept: same ? head : 0,
      same,
      said,
      output: real ? call : open ? outputOf(turn, prices) : 0,
    });
    said = real ? call + prices.result : prices.words;
  }
  return priced(requests, prices);
}

/** Requests that the model answered; before the first answer, the request that would be sent first. */
function sentOf(turns: readonly Turn[]): readonly Turn[] {
  const answered = turns.filter(({ does }) => does !== null);
  return answered.length > 0 ? answered : turns.slice(0, 1);
}

function priced(requests: readonly Request[], prices: Assumed): Bill {
  const rows: BillRow[] = [];
  let messages = prices.context;
  let before = 0;
  for (const [index, request] of requests.entries()) {
    messages += request.said;
    const input = request.head + messages;
    const first = prices.warm ? request.head : 0;
    const common = index === 0 ? first : request.same ? before : Math.min(request.kept, request.head);
    const cached = prices.cache && common >= prices.leastCached ? common : 0;
    const fresh = input - cached;
    // What is too short is not cached. Whether another request follows is not known when this one is sent.
    const writes = prices.cache && input >= prices.leastCached;
    const price =
      (cached * prices.cached + fresh * (writes ? prices.write : prices.input) + request.output * prices.output) / 1e6;
    rows.push({ turn: request.turn, input, cached, fresh, output: request.output, price });
    before = input;
  }
  const sum = (of: (row: BillRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    rows,
    requests: rows.length,
    input: sum((row) => row.input),
    cached: sum((row) => row.cached),
    output: sum((row) => row.output),
    price: sum((row) => row.price),
  };
}

/** Tokens that the messages grow by until this request: the call before with its answer, and what the user says. */
function saidBefore(turns: readonly Turn[], number: number, prices: Prices): number {
  const turn = turns.find((row) => row.number === number);
  const before = turns.find((row) => row.number === number - 1);
  const user = turn?.saidTokens ?? 0;
  if (before === undefined || before.does === null) return user;
  if (before.does === "answer") return user + prices.words;
  return user + before.does.callTokens + (before.does.answerTokens ?? prices.result);
}

/** Tokens of all messages that each request holds, of the host's prompt too. */
export function messagesOf(turns: readonly Turn[], prices: Prices): number[] {
  let messages = prices.context;
  return turns.map((turn) => (messages += saidBefore(turns, turn.number, prices)));
}

function outputOf(turn: Turn, prices: Prices): number {
  const { does } = turn;
  return does === null ? 0 : does === "answer" ? prices.words : does.callTokens;
}

/** Calls of tools that did not run, and that no later call of the same tool made good: the work of the conversation is not done. */
export function undoneIn(turns: readonly Turn[]): number {
  const calls = turns.flatMap(({ does }) => (does === null || does === "answer" ? [] : [does]));
  return calls.filter(({ tool, outcome, query }, at) => {
    const failed = outcome.kind === "refused" || (outcome.kind === "result" && outcome.isError && query === null);
    const runs = (later: (typeof calls)[number]) =>
      later.outcome.kind === "dispatch" && (later.tool === tool || later.outcome.modelName === tool);
    return failed && !calls.slice(at + 1).some(runs);
  }).length;
}

/** Whether tool search pays, in facts that the page puts into words. */
export interface Verdict {
  pays: boolean;
  /** Calls that never ran: with all tools in full they might have, so that the prices are not those of the same work. */
  undone: number;
  /** The share of the price that is saved; negative where it costs more. */
  share: number;
  /** The same where the cache holds the tools of the first request already; null where none is used. */
  warm: number | null;
  /** The first user turn (or request, where the user never speaks) from which on it is cheaper until the end; null for none. */
  from: number | null;
  unit: "turn" | "request";
  /** It costs less until this turn and more after it. */
  until: number | null;
  /** From about how many tools of this size on the same conversation is cheaper; null where no number is enough. */
  tools: number | null;
}

/** The most tools that the verdict looks for. */
const MANY_TOOLS = 20_000;

export function verdictOf(turns: readonly Turn[], prices: Prices): Verdict {
  const ours = billOf(turns, prices);
  const full = fullBillOf(turns, prices);
  const pays = ours.price < full.price;
  const spoken = turns.filter((turn) => turn.said !== null).map((turn) => turn.number);
  const unit = spoken.length > 1 ? "turn" : "request";
  const ends = unit === "turn" ? [...spoken.slice(1), Infinity] : turns.map((turn) => turn.number + 1);
  const cheaper = ends.map((end) => upTo(ours, end) < upTo(full, end));
  const lastDear = cheaper.lastIndexOf(false);
  const lastCheap = cheaper.lastIndexOf(true);
  return {
    pays,
    undone: undoneIn(turns),
    share: savedOf(ours, full),
    warm: savedWarm(turns, prices),
    from: cheaper.at(-1) === true ? lastDear + 2 : null,
    unit,
    until: cheaper.at(-1) === false && lastCheap >= 0 ? lastCheap + 1 : null,
    tools: breakEven(turns, prices),
  };
}

function savedOf(ours: Bill, full: Bill): number {
  return full.price > 0 ? 1 - ours.price / full.price : 0;
}

/** The share that is saved where another conversation has just sent these tools; null where no cache is used. */
export function savedWarm(turns: readonly Turn[], prices: Prices): number | null {
  const warm = { ...prices, warm: true };
  return prices.cache ? savedOf(billOf(turns, warm), fullBillOf(turns, warm)) : null;
}

function upTo({ rows }: Bill, end: number): number {
  return rows.filter((row) => row.turn < end).reduce((sum, row) => sum + row.price, 0);
}

/**
 * The number of tools from which on this conversation costs less with tool search, if tools are as large as they are here on
 * average. Stubs and listings grow with the number of tools; discovery tools and what is revealed do not.
 */
function breakEven(turns: readonly Turn[], prices: Prices): number | null {
  const { full } = (turns[0] as Turn).size;
  if (full.tools === 0 || full.tokens === 0) return null;
  const cheaper = (tools: number) => {
    const factor = tools / full.tools;
    const scaled = turns.map((turn) => {
      const { parts, request } = turn.size;
      const grows = parts.stubs.tokens + parts.listing.tokens + (turn.active ? 0 : parts.eager.tokens);
      const tokens = Math.round(request.tokens - grows + grows * factor);
      const kept = Math.min(tokens, Math.round((turn.kept.tokens * tokens) / Math.max(1, request.tokens)));
      return { ...turn, size: { ...turn.size, request: { ...request, tokens } }, kept: { ...turn.kept, tokens: kept } };
    });
    return billOf(scaled, prices).price < fullBillOf(turns, prices, Math.round(full.tokens * factor)).price;
  };
  if (!cheaper(MANY_TOOLS)) return null;
  let [low, high] = [0, MANY_TOOLS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (cheaper(middle)) high = middle;
    else low = middle;
  }
  return high;
}
