import { useState } from "preact/hooks";
import type { Lab } from "../model/lab.ts";
import type { Source } from "../model/source.ts";
import { count, plural } from "../model/numbers.ts";

/** Reports may have as many rows as a list has tools. */
const SHOWN = 50;

/** The servers that are registered, and what the library said to their lists. */
export function SourceList({ lab }: { lab: Lab }) {
  return (
    <ul class="sources" aria-label="Registered servers">
      {lab.sources.map((source) => (
        <SourceItem key={source.server} lab={lab} source={source} />
      ))}
    </ul>
  );
}

function SourceItem({ lab, source }: { lab: Lab; source: Source }) {
  const { registered, rejected, repaired } = source.report;
  return (
    <li class="source">
      <div class="source-line">
        {source.own ? <NameInput lab={lab} server={source.server} /> : <span class="source-name">{source.server}</span>}
        <span class="source-tally">{plural(registered.length, "tool")}</span>
        <button type="button" class="button small plain" onClick={() => lab.removeServer(source.server)}>
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
            <button type="button" class="button small" onClick={() => lab.retakeNames(source, "alias")}>
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

function NameInput({ lab, server }: { lab: Lab; server: string }) {
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <label class="source-name">
      <span class="visually-hidden">Name of the server {server}</span>
      <input
        type="text"
        maxLength={64}
        value={server}
        aria-invalid={refused !== null}
        onChange={(event) => {
          const name = event.currentTarget.value.trim();
          const reason = name === "" ? "A server needs a name." : `There is a server “${name}” already.`;
          setRefused(lab.renameServer(server, name) ? null : reason);
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
