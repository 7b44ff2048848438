import { useRef, useState } from "preact/hooks";
import type { Lab } from "../model/lab.ts";
import { readToolLists, serverNameFrom } from "../model/reading.ts";
import { takeFiles, type Reading } from "./take-files.ts";
import { SourceList } from "./source-list.tsx";

interface Props {
  lab: Lab;
  /** What became of the last files and pastes. */
  readings: readonly Reading[];
  onRead: (readings: Reading[]) => void;
}

/** One's own tools: files, dropped or chosen, or a paste. */
export function OwnTools({ lab, readings, onRead }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [server, setServer] = useState("");
  const pasted = () => {
    const name = server.trim() || "pasted";
    try {
      lab.addLists(readToolLists(text, name), server.trim() ? `${serverNameFrom(name)}, pasted` : "a paste");
      onRead([{ name, problem: null }]);
      setText("");
      setServer("");
    } catch (error) {
      onRead([{ name, problem: error instanceof Error ? error.message : String(error) }]);
    }
  };
  return (
    <section class="card own" id="own" tabIndex={-1} aria-labelledby="own-title">
      <header class="card-head">
        <h2 id="own-title">Your tools</h2>
        <button type="button" class="button small" onClick={() => (lab.startOver(), onRead([]))}>
          {lab.opening.kind === "captured" ? "Start over with the captured tools" : "Start over with the example tools"}
        </button>
      </header>
      <p class="hint">
        Drop <code>tools/list</code> answers anywhere on the page: an array of tools,{" "}
        <code>{`{ "tools": [...] }`}</code>, or a whole JSON-RPC answer, one file per server. The first takes the place
        of the tools that are here, further ones join it. Nothing leaves this page.
      </p>
      <div class="drop">
        <button type="button" class="button" onClick={() => files.current?.click()}>
          Choose files
        </button>
        <span>or drop them here</span>
        <input
          ref={files}
          class="visually-hidden"
          type="file"
          accept=".json,application/json"
          multiple
          tabIndex={-1}
          aria-label="Files with tools/list answers"
          onChange={async (event) => {
            const input = event.currentTarget;
            onRead(await takeFiles(lab, [...(input.files ?? [])]));
            // The same file may be chosen again after it was changed.
            input.value = "";
          }}
        />
      </div>
      <details class="paste">
        <summary>Paste instead</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            pasted();
          }}
        >
          <label class="field">
            <span class="field-name">Server name</span>
            <input type="text" maxLength={64} value={server} onInput={(event) => setServer(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span class="field-name">JSON</span>
            <textarea
              class="mono"
              rows={6}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button">
            Read it
          </button>
        </form>
      </details>
      <ul class="readings" aria-live="polite">
        {readings.map((reading) => (
          <li key={reading.name} class={reading.problem ? "problem" : "fine"}>
            {reading.problem ?? `${reading.name} is read.`}
          </li>
        ))}
      </ul>
      <SourceList lab={lab} />
    </section>
  );
}
