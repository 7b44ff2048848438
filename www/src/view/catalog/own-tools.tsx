import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { DOORS } from "../../model/everything.ts";
import { plural } from "../../model/numbers.ts";
import { serverNameFrom } from "../../model/reading.ts";
import { KnownWords } from "../lib/known-words.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { LiveServer } from "./live-server.tsx";
import { SourceList } from "./source-list.tsx";

/** One's own tools, by four doors, and the servers that are there. */
export function OwnTools() {
  const store = useStore();
  const { door } = store;
  const problems = store.readings.filter(({ problem }) => problem !== null);
  return (
    <section class="card own" id="own" tabIndex={-1} aria-labelledby="own-title">
      <header class="card-head">
        <h2 id="own-title">Your tools</h2>
      </header>
      <Tabs
        name="door"
        label="Where your tools are"
        choices={DOORS}
        value={door}
        onChoose={(chosen) => store.choose(chosen)}
      />
      {door === "paste" && <Paste />}
      {door === "files" && <Files />}
      {door === "live" && <LiveServer />}
      {door === "gallery" && <Gallery />}
      <ul class="readings" aria-live="polite">
        {problems.map(({ name, problem }) => (
          <li key={name} class="problem">
            {problem}
          </li>
        ))}
      </ul>
      <SourceList />
      <p class="hint">
        <KnownWords />
      </p>
      <p class="hint">Your first tools replace the samples, later ones are added. Nothing leaves this page.</p>
      <div class="actions own-end">
        <button type="button" class="button small plain" onClick={() => void store.startOver()}>
          {store.snapshot.opening === "captured" ? "Back to the captured tools" : "Back to the example tools"}
        </button>
        <button
          type="button"
          class="button small plain"
          title="Removes your tools and settings from this browser and starts again"
          onClick={() => void store.forget()}
        >
          Forget everything
        </button>
      </div>
    </section>
  );
}

function Paste() {
  const store = useStore();
  const [text, setText] = useState(store.pasted);
  const [server, setServer] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  useLayoutEffect(() => setText(store.pasted), [store.pasted]);
  const read = async () => {
    const name = server.trim() || "pasted";
    if (!(await store.takeText(text, name, server.trim() ? `${serverNameFrom(name)}, pasted` : "a paste"))) return;
    // What was written meanwhile stays.
    setText((now) => (now === text ? "" : now));
    setServer((now) => (now === server ? "" : now));
  };
  return (
    <form
      class="door"
      onSubmit={(event) => {
        event.preventDefault();
        void read();
      }}
    >
      <label class="field">
        <span class="field-name">
          JSON: an answer to tools/list, or the tools of any request. Ctrl+V works anywhere on the page.
        </span>
        <textarea
          ref={box}
          class="mono"
          rows={5}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="call-line">
        <label class="field grow">
          <span class="field-name">Server name</span>
          <input type="text" maxLength={64} value={server} onInput={(event) => setServer(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary">
          Read it
        </button>
      </div>
    </form>
  );
}

function Files() {
  const store = useStore();
  const files = useRef<HTMLInputElement>(null);
  return (
    <div class="door drop">
      <button type="button" class="button primary" onClick={() => files.current?.click()}>
        Choose files
      </button>
      <span>or drop them anywhere on the page</span>
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
  );
}

/** Servers whose lists came with the page. */
function Gallery() {
  const store = useStore();
  const { gallery, sources } = store.snapshot;
  const own = new Set(sources.filter((source) => source.own).map(({ server }) => server));
  return (
    <ul class="door gallery">
      {gallery.map(({ server, from, license, tools }) => (
        <li key={server}>
          <span>
            <b>{server}</b>{" "}
            <span class="hint">
              {[from, plural(tools, "tool"), license?.startsWith("SEE ") ? "licence in its package" : license]
                .filter(Boolean)
                .join(", ")}
            </span>
          </span>
          <button
            type="button"
            class="button small"
            aria-disabled={own.has(server)}
            onClick={() => own.has(server) || void store.run((engine) => engine.takeFromGallery(server))}
          >
            {own.has(server) ? "Added" : "Add"}
            <span class="visually-hidden"> {server}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
