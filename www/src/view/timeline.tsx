import { useLayoutEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { HitPart } from "toolsift";
import { at, catalog, go, LAST_STEP, play, sent, sentIn, states, tools, whyFound } from "../app/state.ts";
import type { Hit, Play, Sent } from "../core/types.ts";
import { count, plural, score } from "../model/numbers.ts";
import { Reasons } from "./reasons.tsx";

/** The result of a request in four steps. Each step can show the texts that were sent. */
export function Timeline() {
  useArrows();
  const shown = play.value;
  if (shown === null) return null;
  const lines = [<User {...shown} />, <Searched {...shown} />, <Loaded {...shown} />, <Called {...shown} />];
  return (
    <section class="band" aria-labelledby="happened">
      <div class="section-head">
        <h2 id="happened">What just happened</h2>
        <p class="stepper">
          <button
            type="button"
            class="quiet-button"
            aria-label="A step back"
            aria-disabled={at.value === 0}
            onClick={() => go(-1)}
          >
            ←
          </button>
          <button
            type="button"
            class="quiet-button"
            aria-label="A step on"
            aria-disabled={at.value === LAST_STEP}
            onClick={() => go(1)}
          >
            →
          </button>
        </p>
      </div>
      <ol class="timeline">
        {lines.map((line, step) => (
          <li
            key={step}
            class={step > at.value ? "later" : step === at.value ? "now" : ""}
            data-failed={step === LAST_STEP && shown.call?.refused != null ? "" : undefined}
            aria-current={step === at.value ? "step" : undefined}
          >
            <div class="line">{line}</div>
            {step === 1 && shown.active && shown.hits.length > 0 && <Hits {...shown} />}
            <Opened key={shown.query} step={step} play={shown} />
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {told(shown)}
      </p>
      <p class="hint">No model runs in this page. Where a model would search, the page searches with your words.</p>
    </section>
  );
}

/** Returns the text for screen readers. */
function told({ active, confidence, hits, loaded }: Play): string {
  if (!active) return "All tools are sent.";
  if (at.value < LAST_STEP) return confidence === "none" ? "Nothing fits." : `${plural(hits.length, "tool")} found.`;
  if (loaded.length === 0) return "Nothing fits, and nothing is loaded.";
  return `Loaded: ${loaded.join(", ")}. A request has ${plural(sent.value, "token")} of tools.`;
}

function User({ query }: Play) {
  return (
    <p>
      <b>The user</b> asks: <q>{query}</q>
    </p>
  );
}

function Searched({ active, ahead, confidence, hits, unknown }: Play) {
  if (!active) return <p>Nobody has to search: all {plural(tools.value.length, "tool")} are sent.</p>;
  return (
    <p>
      {ahead ? <b>toolsift searches ahead</b> : <b>The model searches</b>}
      {ahead && ", before the first request"}. {confidence === "none" && <strong>Nothing fits.</strong>}
      {confidence === "low" && <strong>Nothing fits well.</strong>}
      {confidence !== "high" && hits.length > 0 && " These came nearest."}
      {confidence === "high" && `${plural(hits.length, "match", "matches")}, best first.`}
      {unknown.length > 0 && <> No tool mentions {unknown.map((word, at) => [at > 0 && ", ", <q key={word}>{word}</q>])}.</>}
    </p>
  );
}

function Loaded({ active, loaded, picked, tokens }: Play) {
  const more = (tokens[2] ?? 0) - catalog.value.first;
  if (!active) return <p>Nothing has to be loaded.</p>;
  if (loaded.length === 0) return <p>Nothing is loaded. A request stays at {plural(catalog.value.first, "token")}.</p>;
  return (
    <p>
      {picked && "The model picks the best one. "}
      <b>
        {plural(loaded.length, "tool")} loaded, +{plural(more, "token")}
      </b>
      : {loaded.map((name, at) => [at > 0 && ", ", <code key={name}>{name}</code>])}
    </p>
  );
}

function Called({ active, call, confidence }: Play) {
  if (call === null) {
    return (
      <p>
        {active && confidence === "none"
          ? "No call. The model says that it has no tool for this."
          : "No call here: only a model can decide whether one of these is right."}
      </p>
    );
  }
  return (
    <p>
      <b>{call.refused === null ? "The model calls" : "Refused:"}</b> <code>{call.line}</code>
      {call.refused === null ? (
        <> of {call.server}, if it takes the best match. Your code runs it.</>
      ) : (
        <span class="problem"> {call.refused}</span>
      )}
    </p>
  );
}

/** The found tools, each with its reasons. */
function Hits({ hits, query }: Play) {
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={`${query} ${hit.name}`}>
          <HitLine {...hit} />
        </li>
      ))}
    </ol>
  );
}

function HitLine(hit: Hit) {
  const [parts, load] = useLater<HitPart[]>(() => whyFound(hit.name));
  return (
    <details class="hit" onToggle={(event) => event.currentTarget.open && load()}>
      <summary>
        <code class={states.value.get(hit.name)}>{hit.name}</code>
        <span class="server">{hit.server}</span>
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect width={100 * hit.score} height="6" />
        </svg>
        <span class="score">{score(hit.score)}</span>
        <span class="why">why?</span>
      </summary>
      {parts !== null && (parts.length > 0 ? <Reasons parts={parts} /> : <p class="hint">The link does not say why.</p>)}
    </details>
  );
}

const OPENS = ["What is sent", "The search as it is sent", "The request as it is sent", "The call as it arrives"];

/** The texts that a step sent. */
function Opened({ step, play: shown }: { step: number; play: Play }) {
  const [texts, load] = useLater<Sent[]>(() => sentIn(step));
  const { active, ahead, loaded, call } = shown;
  const nothing = [false, !active || ahead, active && loaded.length === 0, call === null][step];
  if (nothing) return null;
  return (
    <details class="opened" onToggle={(event) => event.currentTarget.open && load()}>
      <summary>{OPENS[step]}</summary>
      {texts?.map(({ title, bytes, text }, index) => (
        <Text key={index} title={title} text={text}>
          {bytes !== null && <span class="hint">{count(bytes)} bytes</span>}
        </Text>
      ))}
    </details>
  );
}

function Text({ title, text, children }: { title: string; text: string; children: ComponentChildren }) {
  return (
    <>
      <p class="sent-title">
        {title} {children}
      </p>
      <pre class="code" tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </>
  );
}

/** Returns an answer that is requested only when the visitor wants to see it, and the function that requests it. */
function useLater<T>(ask: () => Promise<T>): [T | null, () => void] {
  const [answer, setAnswer] = useState<T | null>(null);
  return [answer, () => void ask().then(setAnswer)];
}

/** Moves by a step with the arrow keys, unless the focused element uses these keys. */
function useArrows() {
  useLayoutEffect(() => {
    const step = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
      const elsewhere = target instanceof Element && target.closest("input, textarea, select, pre, dialog");
      if (by !== undefined && !elsewhere && !altKey && !ctrlKey && !metaKey) go(by);
    };
    document.addEventListener("keydown", step);
    return () => document.removeEventListener("keydown", step);
  }, []);
}
