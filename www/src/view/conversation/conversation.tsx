import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { fullBillOf } from "../../model/bill.ts";
import { storyOf } from "../../model/caption.ts";
import { parseJson, pretty, type JsonRecord } from "../../model/json.ts";
import { sampleArguments } from "../../model/arguments.ts";
import type { Draft } from "../../model/steps.ts";
import { isPlayed } from "../lib/script-options.tsx";
import { useTab } from "../lib/use-tab.ts";
import { BillPanel } from "./bill-panel.tsx";
import { ChangesPanel } from "./changes-panel.tsx";
import { ANY_TOOL, Composer, USER, type Forms } from "./composer.tsx";
import { Hits } from "./hits.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { ScriptBar } from "./script-bar.tsx";
import { Sessions } from "./sessions.tsx";
import { Timeline } from "./timeline.tsx";
import { VerdictLine } from "../lib/verdict-line.tsx";
import { Caption } from "../scene/caption.tsx";
import { Chart } from "./chart.tsx";

const PANELS = { bill: "Bill", request: "Request", changes: "Changes" };

type Panel = keyof typeof PANELS;

/** Its requests as bars, and what happens in them; then step by step, oldest first; below it whoever plays the model; beside it what a request holds and costs. */
export function ConversationView() {
  const store = useStore();
  const { current, profile, scripts } = store.snapshot;
  const recorded = scripts.find((script) => isPlayed(script, current))?.recorded;
  const newest = current.turns.at(-1)?.number ?? 1;
  const { at } = store.place;
  const setTurn = (number: number) => store.showPart({ at: String(number) });
  const [panel, showPanel] = useTab(PANELS);
  const setPanel = (name: Panel) => {
    showPanel(name);
    store.showPart({ at });
  };
  const [forms, setForms] = useState<Forms>({});
  const [draft, setDraft] = useState<Draft>({ via: null, tool: "", args: "{}" });
  const [chosen, setChosen] = useState<string | null>(null);
  const turn = Number(at) >= 1 && Number(at) <= newest ? Math.floor(Number(at)) : newest;
  // What happens next is what is looked at.
  const seen = useRef(`${current.id} ${newest}`);
  useLayoutEffect(() => {
    const now = `${current.id} ${newest}`;
    if (seen.current !== now && at !== "") store.showPart({ at: "" });
    seen.current = now;
  }, [newest, current.id]);

  // A written call outlives a change of profile: it moves to the way that the new profile has for it.
  const { surface } = current;
  const before = useRef(surface);
  useLayoutEffect(() => {
    const was = before.current.forward?.name ?? null;
    before.current = surface;
    if (chosen === null || chosen === USER || draft.tool === "") return;
    const calling = chosen === ANY_TOOL || chosen === was;
    if (!calling) return;
    const state = store.snapshot.tools.find((tool) => tool.name === draft.tool)?.state;
    setChosen(state === "deferred" && surface.forward ? surface.forward.name : ANY_TOOL);
  }, [profile.name]);

  const writeCall = async (call: Draft) => {
    const definition = await store.core.engine.definition(call.tool);
    const args = parseJson(call.args);
    const empty = args === undefined || Object.keys(args as JsonRecord).length === 0;
    setDraft({ ...call, args: empty ? pretty(sampleArguments(definition?.schema ?? {})) : call.args });
    setChosen(call.via ?? ANY_TOOL);
    requestAnimationFrame(() => {
      const form = document.querySelector<HTMLElement>("#composer .call");
      form?.scrollIntoView({ block: "nearest" });
      form?.querySelector("textarea")?.focus({ preventScroll: true });
    });
  };
  return (
    <div class="talk">
      <section class="card talk-scene" aria-labelledby="talk-title">
        <header class="card-head">
          <h1 id="talk-title">Conversation</h1>
          <ScriptBar />
        </header>
        {recorded && (
          <p class="hint recorded">
            {recorded} Its words, searches and calls are played again with the tools and settings of this page, one call
            after the other.
          </p>
        )}
        <VerdictLine />
        <Chart turns={current.turns} turn={turn} onTurn={setTurn} />
        <p class="hint story" data-testid="story">
          {storyOf(current.turns, fullBillOf(current.turns, store.prices).requests)}
        </p>
        <Caption turn={turn} />
      </section>
      <section class="card talk-main" aria-label="Step by step">
        <Timeline key={current.id} turn={turn} onTurn={setTurn} />
        <Composer forms={forms} onForms={setForms} draft={draft} onDraft={setDraft} chosen={chosen} onChoose={setChosen} />
        <Hits onDraft={(call) => void writeCall(call)} />
        <details class="sessions-fold">
          <summary>Sessions</summary>
          <Sessions />
        </details>
      </section>
      <section class="card talk-side" aria-label="The chosen request">
        <div class="panel-tabs" role="tablist" aria-label="What is shown of the conversation">
          {(Object.keys(PANELS) as Panel[]).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              class="panel-tab"
              aria-selected={panel === name}
              aria-controls="panel"
              tabIndex={panel === name ? 0 : -1}
              onClick={() => setPanel(name)}
              onKeyDown={(event) => {
                const names = Object.keys(PANELS) as Panel[];
                const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                if (by === undefined) return;
                const next = names[(names.indexOf(name) + by + names.length) % names.length] as Panel;
                setPanel(next);
                document.getElementById(`tab-${next}`)?.focus();
              }}
            >
              {PANELS[name]}
            </button>
          ))}
        </div>
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${panel}`} class="panel-body" tabIndex={0}>
          {panel === "bill" && <BillPanel turn={turn} onTurn={setTurn} />}
          {panel === "request" && <RequestPanel turn={turn} />}
          {panel === "changes" && <ChangesPanel turn={turn} />}
        </div>
      </section>
    </div>
  );
}
