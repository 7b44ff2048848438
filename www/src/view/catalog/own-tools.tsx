import { useRef, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { serverNameFrom } from "../../model/reading.ts";
import { LiveServer } from "./live-server.tsx";
import { SourceList } from "./source-list.tsx";

/** One's own tools: files, dropped or chosen, or a paste. */
export function OwnTools() {
  const store = useStore();
  const { readings } = store;
  const files = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [server, setServer] = useState("");
  const pasted = async () => {
    const name = server.trim() || "pasted";
    if (!(await store.takeText(text, name, server.trim() ? `${serverNameFrom(name)}, pasted` : "a paste"))) return;
    setText("");
    setServer("");
  };
  return (
    <section class="card own" id="own" tabIndex={-1} aria-labelledby="own-title">
      <header class="card-head">
        <h2 id="own-title">Your tools</h2>
      </header>
      <p class="hint">
        JSON files, dropped anywhere on the page: <code>tools/list</code> answers, the tools of an MCP, OpenAI, Anthropic or
        Google request, or captures. Your first tools replace the samples, later ones are added. Nothing leaves this page.
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
            await store.takeFiles([...(input.files ?? [])]);
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
            void pasted();
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
      <LiveServer />
      <ul class="readings" aria-live="polite">
        {readings.map((reading) => (
          <li key={reading.name} class={reading.problem ? "problem" : "fine"}>
            {reading.problem ?? `${reading.name} is read.`}
          </li>
        ))}
      </ul>
      <SourceList />
      <div class="actions own-end">
        <button type="button" class="button small" onClick={() => void store.startOver()}>
          {store.snapshot.opening === "captured" ? "Back to the captured tools" : "Back to the example tools"}
        </button>
        <button
          type="button"
          class="button small"
          title="Removes your tools and settings from this browser and starts again"
          onClick={() => void store.forget()}
        >
          Forget everything
        </button>
      </div>
    </section>
  );
}
