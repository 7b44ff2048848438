import { useEffect, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { billOf, fullBillOf } from "../../model/bill.ts";
import { dollars, percent, plural } from "../../model/numbers.ts";
import { CopyButton } from "../lib/copy-button.tsx";
import { Headline } from "../lib/figure.tsx";
import { ToolMap } from "./tool-map.tsx";

const INSTALL = "npm install toolsift";

/** Slow enough to follow, fast enough not to wait for. */
const STEP_MS = 1100;

/** One screen: what tool search does, what it saves on the tools that are here, and how to begin. */
export function Overview() {
  const store = useStore();
  const { snapshot } = store;
  const { current, sources, opening } = snapshot;
  const all = current.size.full.tools;
  const own = sources.some((source) => source.own);
  return (
    <section class="hero" aria-labelledby="title">
      <div class="hero-text">
        <h1 id="title">
          Carry every tool. <span class="quiet">Pay for the few you use.</span>
        </h1>
        <p class="lede">
          An agent sends the definitions of all its tools with every request. With tool search they are deferred: the model
          searches for what it needs, and only that is revealed to it.
        </p>
        <Headline size={current.size} />
        <p class="basis">
          {all === 0
            ? "Bring the lists of your servers, or take the samples in the menu of the catalog. "
            : current.active
              ? `That is what the tools of the next request take; the model can still find all ${plural(all, "tool")} of ${plural(sources.length, "server")}. `
              : `That is what the tools of the next request take: nothing is deferred, ${plural(all, "tool")} are sent in full. `}
          {current.size.saved.tokens < 0 && all > 0 && "So few or so small tools cost less in full. "}
          {all > 0 && <span class="basis-origin">{own ? "These are the tools you brought." : ORIGINS[opening]}</span>}
        </p>
        <div class="actions">
          <PlayButton />
          <label class="button file-button">
            Use your tools
            <input
              class="visually-hidden"
              type="file"
              accept=".json,application/json"
              multiple
              onChange={async (event) => {
                const input = event.currentTarget;
                await store.takeFiles([...(input.files ?? [])]);
                // The same file may be chosen again after it was changed.
                input.value = "";
              }}
            />
          </label>
        </div>
        <p class="basis bring">
          Bring yours as a JSON file with a <code>tools/list</code> answer or a <code>tools</code> array: choose it,{" "}
          <span class="by-mouse">drop it on this page, </span>or paste it in the menu at the top. Nothing is uploaded.
        </p>
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
        <ToolMap snapshot={snapshot} />
        <Played />
      </div>
    </section>
  );
}

const ORIGINS = {
  captured: "These are the tool lists of real MCP servers, read when this page was built.",
  example: "These are example tools that come with this page.",
};

/** What a conversation that was played costs in all, which is not what its tools alone save, and what just happened in it. */
function Played() {
  const store = useStore();
  const { turns } = store.snapshot.current;
  const last = turns.findLast(({ does }) => does !== null && does !== "answer")?.does;
  if (!last || last === "answer") return null;
  const [ours, full] = [billOf(turns, store.prices), fullBillOf(turns, store.prices)];
  const share = full.price > 0 ? 1 - ours.price / full.price : 0;
  return (
    <dl class="played">
      <dt>Whole conversation</dt>
      <dd>
        <b>{share < 0 ? `${percent(-share)} more` : `${percent(share)} less`}</b>: {dollars(ours.price)} instead of{" "}
        {dollars(full.price)}, searches included
      </dd>
      <dt>Last model call</dt>
      <dd class="played-call">
        <code>
          {last.tool}({JSON.stringify(last.args)})
        </code>
      </dd>
    </dl>
  );
}

/** Plays the first scripted conversation; what is played here stands in the conversation. */
export function PlayButton() {
  const store = useStore();
  const { scripts, current } = store.snapshot;
  const [playing, setPlaying] = useState(false);
  const waiting = current.ahead.length > 0;
  useEffect(() => {
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
