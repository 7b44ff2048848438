/** Tells a conversation in sentences: what the user said, what the model looked for, what was found, sent and run. */
import type { Exchange, Turn } from "../core/types.ts";
import { IN_FULL } from "./labels.ts";
import { count, plural } from "./numbers.ts";

/** The last thing that happened up to a request; what happens in it is part of it. `without`: it is shown without tool search. */
export function captionOf(turns: readonly Turn[], number: number, without: boolean): string {
  const turn = turns.find((row) => row.number === number);
  const open = turn?.does === null ? turns.find((row) => row.number === number - 1) : undefined;
  const told = open ?? turn;
  if (told === undefined || (told.does === null && told.said === null))
    return `Nothing is said yet. The first request holds ${turn?.active && !without ? "the search tools: with them the model finds all others" : "every tool"}.`;
  const said = (open ? turn?.said : told.said) ?? null;
  const parts = open && said !== null ? [doesOf(told), saidOf(said)] : [said === null ? "" : saidOf(said), doesOf(told)];
  return parts.filter(Boolean).join(" ");
}

function saidOf(text: string): string {
  return `The user says “${text}”`;
}

function doesOf({ does, words }: Turn): string {
  if (does === null) return "";
  if (does === "answer") return words === null ? "The model answers the user." : `The model answers “${words}”`;
  return exchangeOf(does);
}

function exchangeOf({ tool, outcome, query, named, insight }: Exchange): string {
  if (outcome.kind === "refused") {
    const early = outcome.error.code === "tool_not_revealed";
    return early
      ? `The model calls ${tool} too early, and is told the way.`
      : `The model calls ${tool}, which does not run.`;
  }
  if (outcome.kind === "dispatch") return `The model calls ${outcome.modelName}, and it runs.`;
  const found = named.rows.length;
  const [first] = outcome.revealed;
  const isBest = found > 1 && outcome.revealed.length === 1 && first === insight?.hits[0]?.name;
  const revealed = `${isBest ? "The best, " : ""}${listed(outcome.revealed)}${isBest ? "," : ""} ${outcome.revealed.length === 1 ? "is" : "are"} revealed`;
  const sent = first === undefined ? "" : ` ${revealed}: sent from the next request on.`;
  if (query === null) return sent === "" ? `The model calls ${tool}.` : `The model asks for tools by name.${sent}`;
  const hits = found === 0 ? "Nothing is found." : `${plural(found, "tool")} ${found === 1 ? "is" : "are"} found.`;
  return `The model searches for “${query}”. ${hits}${sent}`;
}

/**
 * How many requests a conversation takes, and why: each call and each answer of the model is one. `inFull` are those of the same
 * tasks with all tools in full. Nothing, where the model has not acted yet.
 */
export function storyOf(turns: readonly Turn[], inFull: number): string {
  const requests = turns.filter(({ does }) => does !== null).length;
  if (requests === 0) return "";
  const answers = turns.filter(({ does }) => does === "answer").length;
  const said = turns.filter(({ said }) => said !== null).length;
  const isOver = turns.at(-1)?.does === "answer";
  const acts = `${plural(said, "message")}, ${plural(requests - answers, "call")} and ${plural(answers, "answer")}: ${plural(requests, "request")}${isOver ? "" : " so far"}`;
  const fewer = requests - inFull;
  return fewer > 0
    ? `${acts}. With ${IN_FULL} ${count(inFull)}: ${plural(fewer, "request")} fewer, without searches and calls that did not run.`
    : `${acts}.`;
}

/** A few names, and how many more. */
function listed(names: readonly string[]): string {
  const [first = "", second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${plural(names.length - 1, "other")}`;
}
