import { useLayoutEffect, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import type { SourceView } from "../../core/types.ts";
import { count, plural } from "../../model/numbers.ts";

/** Reports may have as many rows as a list has tools. */
const SHOWN = 50;

/** The servers that are registered, and what the library said to their lists. */
export function SourceList() {
  const store = useStore();
  const { sources, removed } = store.snapshot;
  return (
    <>
      {removed !== null && (
        <p class="removed" role="status">
          {removed} is removed.{" "}
          <button type="button" class="link" onClick={() => void store.run((engine) => engine.undoRemove())}>
            Bring it back
          </button>
        </p>
      )}
      <ul class="sources" aria-label="Registered servers">
        {sources.map((source) => (
          <SourceItem key={source.server} source={source} />
        ))}
      </ul>
    </>
  );
}

function SourceItem({ source }: { source: SourceView }) {
  const store = useStore();
  const { registered, rejected, repaired } = source;
  return (
    <li class="source">
      <div class="source-line">
        {source.own ? <NameInput server={source.server} /> : <span class="source-name">{source.server}</span>}
        <span class="source-from hint" title={source.from}>
          {source.from}
        </span>
        <span class="source-tally">{plural(registered, "tool")}</span>
        <button
          type="button"
          class="button small plain"
          onClick={() => void store.run((engine) => engine.removeServer(source.server))}
        >
          Remove<span class="visually-hidden"> {source.server}</span>
        </button>
      </div>
      {rejected.length > 0 && (
        <details class="report rejected" open>
          <summary>{plural(rejected.length, "tool")} rejected</summary>
          <ul>
            {rejected.slice(0, SHOWN).map((row) => (
              <li key={row.index}>
                <b>{row.name || `no. ${row.index + 1}`}</b> <code>{row.code}</code> {row.message}
              </li>
            ))}
            <More of={rejected.length} />
          </ul>
          {rejected.some((row) => row.alias) && (
            <button
              type="button"
              class="button small"
              onClick={() => void store.run((engine) => engine.retakeNames(source.server, "alias"))}
            >
              Take them under safe names
            </button>
          )}
        </details>
      )}
      {repaired.length > 0 && (
        <details class="report">
          <summary>{plural(repaired.length, "tool")} repaired</summary>
          <ul>
            {repaired.slice(0, SHOWN).map((row) => (
              <li key={row.name}>
                <b>{row.name}</b> {row.repair}
              </li>
            ))}
            <More of={repaired.length} />
          </ul>
        </details>
      )}
    </li>
  );
}

function More({ of: all }: { of: number }) {
  return all > SHOWN ? <li class="quiet">and {count(all - SHOWN)} more</li> : null;
}

function NameInput({ server }: { server: string }) {
  const store = useStore();
  const [refused, setRefused] = useState<string | null>(null);
  // What is being typed outlives whatever else the page shows anew meanwhile.
  const [text, setText] = useState(server);
  useLayoutEffect(() => setText(server), [server]);
  return (
    <label class="source-name">
      <span class="visually-hidden">Name of the server {server}</span>
      <input
        type="text"
        maxLength={64}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        aria-invalid={refused !== null}
        onChange={async (event) => {
          const name = event.currentTarget.value.trim();
          const reason = name === "" ? "A server needs a name." : `There is a server “${name}” already.`;
          const { snapshot, renamed } = await store.core.engine.renameServer(server, name);
          setRefused(renamed ? null : reason);
          store.show(snapshot);
        }}
      />
      {refused && (
        <span class="problem" role="alert">
          {refused}
        </span>
      )}
    </label>
  );
}
