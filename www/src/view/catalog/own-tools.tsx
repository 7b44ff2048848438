import { useRef, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { serverNameFrom } from "../../model/reading.ts";
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
        <button type="button" class="button small" onClick={() => void store.startOver()}>
          {store.snapshot.opening === "captured" ? "Start over with the captured tools" : "Start over with the example tools"}
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
      <ul class="readings" aria-live="polite">
        {readings.map((reading) => (
          <li key={reading.name} class={reading.problem ? "problem" : "fine"}>
            {reading.problem ?? `${reading.name} is read.`}
          </li>
        ))}
      </ul>
      <SourceList />
    </section>
  );
}
