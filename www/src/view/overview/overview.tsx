import { useLayoutEffect, useState } from "preact/hooks";
import type { Store } from "../../app/store.ts";
import type { Turn } from "../../core/types.ts";
import { useStore } from "../../app/use-store.ts";
import { count, plural } from "../../model/numbers.ts";
import { CopyButton } from "../lib/copy-button.tsx";
import { Headline } from "../lib/figure.tsx";
import { later } from "../lib/later.tsx";
import { VerdictLine } from "../lib/verdict-line.tsx";
import { Caption } from "../scene/caption.tsx";
import { MOVES_MS, movesWanted } from "../scene/clock.ts";
import { SceneView } from "../scene/scene.tsx";
import { useSettled } from "../scene/use-rolling.ts";

/** Most visits need none. */
const CardLater = later(async () => (await import("../card/card-view.tsx")).CardView);

const INSTALL = "npm install toolsift";

/** Slow enough to follow, fast enough not to wait for. */
const STEP_MS = 1100;

/** How long a request without tool search is shown to somebody who has just come. */
const INTRODUCED_MS = 1600;

/** Then it drains, and how long what is left is shown before the model searches. */
const DRAINED_MS = 900;

/** The page goes on by itself until one of these. */
const INPUTS = ["pointerdown", "keydown", "wheel", "touchstart"];

/** One screen: what tool search does, what it saves on the tools that are here, and how to begin. */
export function Overview() {
  const store = useStore();
  const { snapshot } = store;
  const { current, sources, opening, tools } = snapshot;
  const all = current.size.full.tools;
  const own = sources.some((source) => source.own);
  const unreached = tools.reduce((sum, { sent, tokens }) => sum + sent.tokens - tokens, 0);
  useLayoutEffect(() => {
    if (store.introduced) return;
    // Nobody sees it drain: what it comes to is there at once.
    if (!movesWanted()) return store.showWithout(false);
    const drains = setTimeout(() => store.introduced || store.showWithout(false), INTRODUCED_MS);
    const searches = setTimeout(() => void searchFirst(store), INTRODUCED_MS + MOVES_MS + DRAINED_MS);
    const stop = () => clearTimeout(searches);
    for (const input of INPUTS) addEventListener(input, stop, { passive: true });
    return () => {
      clearTimeout(drains);
      stop();
      for (const input of INPUTS) removeEventListener(input, stop);
    };
  }, []);
  const without = useSettled(store.without) && store.without;
  return (
    <section class="hero" aria-labelledby="title">
      <div class="hero-text">
        <h1 id="title">
          Carry every tool. <span class="quiet">Pay for the few you use.</span>
        </h1>
        <p class="lede">
          An agent sends all its tools with every request. With tool search they are deferred, that is held back: the model
          searches for what it needs, and what fits best is revealed: sent from then on.
        </p>
        <Headline />
        <p class="basis">
          {all === 0
            ? "Bring the lists of your servers, or take the samples in the menu of the catalog. "
            : current.active
              ? `All ${plural(all, "tool")} of ${plural(sources.length, "server")} ${without ? "are in every request" : `can be found; requests carry ${rangeOf(current.turns)} tokens of tools instead of ${count(current.size.full.tokens)}`}. `
              : `Nothing is deferred: so few or so small tools cost less in full. `}
          {unreached > 0 &&
            `Other clients send ${count(unreached)} tokens more: parts of schemas that no parameter reaches. `}
          {all > 0 && <span class="basis-origin">{own ? "These are the tools you brought." : ORIGINS[opening]}</span>}
        </p>
        <div class="actions">
          <PlayButton />
          <button type="button" class="button plain" onClick={() => store.openTools(true)}>
            Use your tools
          </button>
        </div>
        <VerdictLine long />
        <p class="install">
          <code>{INSTALL}</code>
          <CopyButton text={() => INSTALL} label="Copy the install line" />
        </p>
        <p class="next">
          <a href={store.address("search")}>Does it find the right tool?</a>
          <a href={store.address("use")}>What do I paste?</a>
        </p>
      </div>
      <div class="hero-map">
        <SceneView />
        <Caption />
      </div>
      {(store.ownTools > 0 || store.card !== "") && <CardLater />}
    </section>
  );
}

/** The fewest and the most tokens of tools that the requests of a conversation hold. */
function rangeOf(turns: readonly Turn[]): string {
  const tokens = turns.map(({ size }) => size.request.tokens);
  const [least, most] = [Math.min(...tokens), Math.max(...tokens)];
  return least === most ? count(least) : `${count(least)} to ${count(most)}`;
}

/** What the user says and the model searches for first; nothing, where somebody has begun a conversation or nothing is deferred. */
async function searchFirst(store: Store): Promise<void> {
  const { current, scripts } = store.snapshot;
  const [script] = scripts;
  const begun = current.script.length + current.ahead.length > 0;
  if (script && current.active && !begun) await store.run((engine) => engine.take(script.steps, script.title, 2));
}

const ORIGINS = {
  captured: "These are the tool lists of real MCP servers, read when this page was built.",
  example: "These are example tools that come with this page.",
};

/** Plays the first scripted conversation; what is played here stands in the conversation. */
export function PlayButton() {
  const store = useStore();
  const { scripts, current } = store.snapshot;
  const [playing, setPlaying] = useState(false);
  const waiting = current.ahead.length > 0;
  useLayoutEffect(() => {
    if (!playing) return;
    if (!waiting) return setPlaying(false);
    const timer = setTimeout(() => void store.run((engine) => engine.next()), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, waiting, current]);
  const toggle = async () => {
    if (playing) return setPlaying(false);
    const script = scripts[0];
    if (!waiting && script) await store.run((engine) => engine.take(script.steps, script.title, 2));
    setPlaying(true);
  };
  if (scripts.length === 0) return null;
  return (
    <button type="button" class="button primary" onClick={() => void toggle()}>
      <svg viewBox="0 0 12 12" aria-hidden="true" class="glyph">
        {playing ? <path d="M2 2h8v8H2z" /> : <path d="M3 1.5v9L10.5 6z" />}
      </svg>
      {playing ? "Stop" : "Play a conversation"}
    </button>
  );
}
