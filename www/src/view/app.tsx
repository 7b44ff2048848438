import { useEffect, useState } from "preact/hooks";
import { ToolSift } from "toolsift";
import { addressOf } from "../model/address.ts";
import type { Lab } from "../model/lab.ts";
import type { Draft } from "../model/steps.ts";
import { Catalog } from "./catalog.tsx";
import { Chart } from "./chart.tsx";
import { Comparison } from "./comparison.tsx";
import { ANY_TOOL, Console, type Forms } from "./console.tsx";
import { DropArea } from "./drop-area.tsx";
import { RunningFigure } from "./figure.tsx";
import { Hero, jumpTo } from "./hero.tsx";
import { OwnTools } from "./own-tools.tsx";
import { ProfileBar } from "./profile-bar.tsx";
import { Request } from "./request.tsx";
import { SettingsForm } from "./settings-form.tsx";
import type { Reading } from "./take-files.ts";
import { ThemeToggle } from "./theme-toggle.tsx";
import { TurnTable } from "./turn-table.tsx";
import { useLab } from "./use-lab.ts";

/** The page: what it saves, then the model's side of it, then the host's. */
export function App({ lab }: { lab: Lab }) {
  useLab(lab);
  const [draft, setDraft] = useState<Draft>({ via: null, tool: "", args: "{}" });
  const [forms, setForms] = useState<Forms>({});
  const [chosen, setChosen] = useState<string | null>(null);
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const address = addressOf(lab.settings);
  useEffect(() => {
    if (location.hash !== address) history.replaceState(null, "", address || location.pathname + location.search);
  }, [address]);

  const writeCall = (call: Draft) => {
    const { names, passed } = lab.surface.forward ?? {};
    if (call.via !== null && names && passed) {
      setForms({ ...forms, [call.via]: { [names.name]: call.tool, [passed.name]: call.args } });
      setChosen(call.via);
    } else {
      setDraft(call);
      setChosen(ANY_TOOL);
    }
    requestAnimationFrame(() => {
      const form = document.querySelector<HTMLElement>("#console .call");
      document.getElementById("console")?.scrollIntoView({ block: "start" });
      form?.querySelector("textarea")?.focus({ preventScroll: true });
    });
  };
  return (
    <>
      <a class="skip" href="#console" onClick={(event) => jumpTo(event, "console")}>
        Skip to the console
      </a>
      <header class="bar">
        <span class="wordmark">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path class="sand" d="M1 1h5v5H1zM7.5 1h5v5h-5zM14 1h5v5h-5zM1 7.5h5v5H1zM14 7.5h5v5h-5z" />
            <path class="gold" d="M7.5 7.5h5v5h-5zM7.5 14h5v5h-5z" />
          </svg>
          toolsift
        </span>
        <RunningFigure size={lab.current.size} turn={lab.current.turns.at(-1)?.number ?? 1} />
        <ThemeToggle />
      </header>
      <main>
        <Hero lab={lab} />
        <ProfileBar lab={lab} />
        <div class="bench">
          <Console
            lab={lab}
            forms={forms}
            onForms={setForms}
            draft={draft}
            onDraft={setDraft}
            onCall={writeCall}
            chosen={chosen}
            onChoose={setChosen}
          />
          <div class="bench-side">
            <Chart lab={lab} />
            <Request key={lab.current.id} lab={lab} />
          </div>
          <TurnTable lab={lab} />
        </div>
        <Comparison lab={lab} />
        <div class="host">
          <Catalog lab={lab} onCall={writeCall} />
          <div class="host-side">
            <SettingsForm lab={lab} />
            <OwnTools lab={lab} readings={readings} onRead={setReadings} />
          </div>
        </div>
      </main>
      <footer class="foot">
        <p>
          toolsift {ToolSift.version}, running as WebAssembly in this page. Nothing you bring leaves it. Tokens are
          estimated as characters ÷ 4, in the chosen wire format.
        </p>
      </footer>
      <DropArea lab={lab} onRead={setReadings} />
      <p class="visually-hidden" role="status" data-testid="announcement">
        {lab.announcement}
      </p>
    </>
  );
}
