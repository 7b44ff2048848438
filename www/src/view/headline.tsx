import { at, catalog, LAST_STEP, LOADED, play, sent, tools } from "../app/state.ts";
import { REQUEST } from "./ask.tsx";
import { about, count, inWords, plural } from "../model/numbers.ts";

/** Returns what the request finds or gets. "It needs" is used only for the page's own request, whose needs are known. */
function verdict(): string {
  const { query, confidence, hits = [], loaded = [] } = play.value ?? {};
  if (confidence === "none") return "Nothing fits this one.";
  if (confidence === "low") return "Nothing fits this one well.";
  if (at.value < LOADED) return `This one finds ${inWords(hits.length)}.`;
  const needs = query === REQUEST && !catalog.value.own ? "It needs" : "This one gets";
  return `${needs} ${inWords(loaded.length)}.`;
}

/** The headline: how many tools an agent sends, and how many it needs. */
export function Headline() {
  const all = tools.value.length;
  const { active = true } = play.value ?? {};
  return (
    <h1 id="claim">
      {active ? (
        <>
          Your agent sends {plural(all, "tool definition")} with every request. <em>{verdict()}</em>
        </>
      ) : (
        <>
          Only {plural(all, "tool")}: sending {all === 1 ? "it" : "them all"} is cheaper.{" "}
          <em>toolsift does that by itself.</em>
        </>
      )}
    </h1>
  );
}

/** Two numbers of tokens. The saving is shown only if the request ended with a call. */
export function Numbers() {
  const { full } = catalog.value;
  const now = sent.value;
  const { call, active = true } = play.value ?? {};
  const worked = active && at.value === LAST_STEP && call !== null && call?.refused === null;
  return (
    <>
      {active && (
        <p class="lede">toolsift keeps them out of the prompt. The model searches, and gets only the tools that fit.</p>
      )}
      <p class="numbers" data-testid="numbers">
        <span class="before">
          <span class="visually-hidden">Without toolsift: about </span>
          <span aria-hidden="true">≈</span> {about(full)}
        </span>
        <svg class="to" viewBox="0 0 24 12" aria-hidden="true">
          <path d="M1 6h21M17 1l5 5-5 5" />
        </svg>
        <span class="after">
          <span class="visually-hidden">With toolsift: about </span>
          {about(now)}
        </span>
        <span class="unit">
          tokens of tools in a request
          {worked && now > 0 && full >= 2 * now && <b>, {count(Math.round(full / now))} times fewer</b>}
        </span>
      </p>
    </>
  );
}
