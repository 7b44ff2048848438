import { useEffect, useRef, useState } from "preact/hooks";
import { playExample } from "../model/example-run.ts";
import { summaryOf, type Lab } from "../model/lab.ts";
import { plural } from "../model/numbers.ts";
import { Headline } from "./figure.tsx";
import { ToolMap } from "./tool-map.tsx";

/** Slow enough to follow, fast enough not to wait for. */
const STEP_MS = 1100;

/** The first screen: what tool search does, and what it saves on the tools that are here. */
export function Hero({ lab }: { lab: Lab }) {
  const { current, sources } = lab;
  const all = current.size.full.tools;
  const own = sources.some((source) => source.own);
  return (
    <section class="hero" aria-labelledby="title">
      <div class="hero-text">
        <h1 id="title">
          Carry every tool. <span class="quiet">Pay for the few you use.</span>
        </h1>
        <p class="lede">
          An agent sends the definitions of all its tools with every request. With tool search they wait in a catalog:
          the model looks for what it needs, and gets that and no more.
        </p>
        <Headline size={current.size} />
        <p class="basis">
          {current.assembly.active
            ? `for the next request, with ${plural(all, "tool")} of ${plural(sources.length, "server")} in reach. `
            : `for the next request: nothing is held back, all of ${plural(all, "tool")} are sent. `}
          {current.size.saved.tokens < 0 && "Tools this few, or this small, cost less in full. "}
          {own ? "These are the tools you brought." : ORIGINS[lab.opening.kind]}
        </p>
        <div class="actions">
          <PlayButton lab={lab} />
          <a class="button" href="#own" onClick={(event) => jumpTo(event, "own")}>
            Try it with your tools
          </a>
        </div>
        <LastCall lab={lab} />
      </div>
      <ToolMap lab={lab} />
    </section>
  );
}

/** What just happened, where a playing conversation is watched from. */
function LastCall({ lab }: { lab: Lab }) {
  const last = lab.current.exchanges.at(-1);
  return (
    <div class="last-call">
      {last && (
        <>
          <code>
            {last.tool}({JSON.stringify(last.args)})
          </code>
          <span>{summaryOf(last)}</span>
        </>
      )}
    </div>
  );
}

const ORIGINS = {
  captured: "These are the lists of real MCP servers, read when this page was built.",
  example: "They are examples that come with this page.",
};

/** Moves the focus without touching the address, which holds the settings. */
export function jumpTo(event: Event, id: string): void {
  event.preventDefault();
  const target = document.getElementById(id);
  target?.scrollIntoView({ block: "start" });
  target?.focus({ preventScroll: true });
}

function PlayButton({ lab }: { lab: Lab }) {
  const [playing, setPlaying] = useState(false);
  const run = useRef(0);
  useEffect(() => () => void (run.current += 1), []);

  const toggle = async () => {
    const mine = ++run.current;
    setPlaying(!playing);
    if (playing) return;
    let first = true;
    await playExample(lab, async () => {
      if (!first) await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      first = false;
      return run.current === mine;
    });
    if (run.current === mine) setPlaying(false);
  };
  return (
    <button type="button" class="button primary" onClick={() => void toggle()}>
      <svg viewBox="0 0 12 12" aria-hidden="true" class="glyph">
        {playing ? <path d="M2 2h8v8H2z" /> : <path d="M3 1.5v9L10.5 6z" />}
      </svg>
      {playing ? "Stop" : "Play an example conversation"}
    </button>
  );
}
