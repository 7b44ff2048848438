import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { entriesOf, matching, toolEntry, type Entry } from "../../model/everything.ts";
import { useAnswer } from "../lib/use-answer.ts";

/** Entries that are drawn: whoever looks for more types another letter. */
const SHOWN = 40;
/** Tools that the page's own search adds to those that have the words in their names. */
const HITS = 5;

/** Goes to anything on the page by its name, and to tools also by what they do. */
export function Seek() {
  const store = useStore();
  const { snapshot } = store;
  const { tools, edition } = snapshot;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const query = text.trim();
  const { answer } = useAnswer(query === "" ? null : `${edition} ${query}`, () => store.core.engine.ask(query, HITS));
  const all = useMemo(() => entriesOf(snapshot), [snapshot]);
  const named = useMemo(() => tools.map(toolEntry), [tools]);
  const found = useMemo(() => {
    if (query === "") return matching(all, "");
    const byId = new Map<string, Entry>();
    const hits = (answer?.hits ?? []).map(toolEntry);
    const other: Entry = {
      id: "query",
      sort: "search",
      title: `Search for “${query}”`,
      detail: "with every ranker",
      target: { kind: "query", query },
    };
    for (const entry of [...matching(all, query), ...matching(named, query), ...hits, other])
      if (byId.size < SHOWN || entry === other) byId.set(entry.id, entry);
    return [...byId.values()];
  }, [all, named, query, answer]);
  const active = Math.min(chosen, found.length - 1);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useLayoutEffect(() => document.getElementById(`seek-${active}`)?.scrollIntoView({ block: "nearest" }), [active, found]);
  const reach = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    dialog.current?.close();
    void store.reach(entry.target);
  };
  const key = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 }[event.key];
    if (to !== undefined) setChosen(Math.max(0, Math.min(found.length - 1, to)));
    else if (event.key === "Enter") reach(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="seek-dialog"
      aria-label="Go to anything on this page"
      onCancel={(event) => {
        event.currentTarget.close();
        store.seek(false);
      }}
      // It comes later than the closing: another dialog may be open by then.
      onClose={(event) => event.currentTarget.isConnected && store.seeking && store.seek(false)}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="What to go to"
        aria-expanded="true"
        aria-controls="seek-list"
        aria-activedescendant={`seek-${active}`}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="a view, a tool, a server, a setting …"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={key}
      />
      <ul id="seek-list" role="listbox" aria-label="What there is">
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`seek-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerMove={() => setChosen(index)}
            onClick={() => reach(entry)}
          >
            <span class={entry.sort === "tool" || entry.sort === "profile" ? "mono" : ""}>{entry.title}</span>
            <span class="hint">{entry.detail}</span>
            <span class="seek-sort">{entry.sort}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
