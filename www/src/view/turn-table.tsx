import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../model/lab.ts";
import { count, percent } from "../model/numbers.ts";
import { PARTS, partsInUse } from "./parts.ts";

const CAUSES = { start: "start", settings: "new settings", catalog: "new tools" };

/** Every number of the chart; the newest turn stays in sight. */
export function TurnTable({ lab }: { lab: Lab }) {
  const { turns } = lab.current;
  const parts = partsInUse(turns.map((turn) => turn.size));
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [turns]);
  return (
    <section class="card turns" aria-labelledby="turns-title">
      <header class="card-head">
        <h2 id="turns-title">Every turn in numbers</h2>
        <p class="hint">Tokens. “Cached”: the share of the tools sent before that this request repeats unchanged.</p>
      </header>
      <div ref={frame} class="turn-table" tabIndex={0} role="region" aria-labelledby="turns-title">
        <table>
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">After</th>
              <th scope="col">Tools</th>
              {parts.map((part) => (
                <th scope="col" key={part}>
                  {PARTS[part].short}
                </th>
              ))}
              <th scope="col">Tokens</th>
              <th scope="col">In full</th>
              <th scope="col">Saved</th>
              <th scope="col">Cached</th>
            </tr>
          </thead>
          <tbody>
            {turns.map(({ number, cause, size }) => (
              <tr key={number} data-turn={number}>
                <th scope="row">{number}</th>
                <td class="mono">{cause.kind === "call" ? cause.tool : CAUSES[cause.kind]}</td>
                <td>{count(size.request.tools)}</td>
                {parts.map((part) => (
                  <td key={part}>{count(size.parts[part].tokens)}</td>
                ))}
                <td class="strong" data-cell="tokens">
                  {count(size.request.tokens)}
                </td>
                <td data-cell="full">{count(size.full.tokens)}</td>
                <td data-cell="saved">{percent(size.saved.share)}</td>
                <td data-cell="prefix">{size.prefix.bytes > 0 ? percent(size.prefix.share) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
