import { useLayoutEffect, useState } from "preact/hooks";
import type { WireFormat } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { Payload, Turn } from "../../core/types.ts";
import { requestName } from "../../model/bill.ts";
import { pretty } from "../../model/json.ts";
import { bytes, count, percent, plural } from "../../model/numbers.ts";
import { LOOKS, partsInUse, partTokens } from "../../model/parts.ts";
import { emptied } from "../../model/stubs.ts";
import { WIRE_FORMATS, type WireTool, wireTools } from "../../model/wire.ts";
import { CopyButton } from "../lib/copy-button.tsx";
import { JsonView } from "../lib/json-view.tsx";
import { change } from "../settings/setting.tsx";

/** Where hundreds of tools are sent, the first of them show how; what is new is always shown. */
const SHOWN = 12;

/** One request as it is sent, in any vendor's format, and its tokens by part. */
export function RequestPanel({ turn: number }: { turn: number }) {
  const store = useStore();
  const { current, settings } = store.snapshot;
  const turn = current.turns[number - 1];
  const [payload, setPayload] = useState<Payload | null>(null);
  const [all, setAll] = useState(false);
  const { format } = settings;
  useLayoutEffect(() => {
    let wanted = true;
    void store.core.engine.payload(number, format).then((found) => wanted && setPayload(found));
    return () => void (wanted = false);
  }, [number, format, current]);
  if (!turn) return null;
  const sent = payload === null ? [] : wireTools(payload.tools);
  const fresh = new Set([...turn.change.added, ...turn.change.rewritten]);
  const shown = sent.filter(({ name }, index) => all || sent.length <= SHOWN * 2 || index < SHOWN || fresh.has(name));
  return (
    <div class="request">
      <div class="request-head">
        <h2>{requestName(turn)}</h2>
        <label class="inline-field">
          <span>Format</span>
          <select value={format} onChange={(event) => change(store, "format", event.currentTarget.value as WireFormat)}>
            {Object.entries(WIRE_FORMATS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PartsTable turn={turn} />
      {payload && (
        <>
          <div class="request-head">
            <h3>
              <code>tools</code> <span class="tab-note">{sent.length}</span>
            </h3>
            <CopyButton text={() => pretty(payload.tools)} label="Copy the tools array" />
          </div>
          <ul class="sent">
            {shown.map((tool) => (
              <li key={tool.name}>
                <SentTool tool={tool} fresh={fresh.has(tool.name)} />
              </li>
            ))}
          </ul>
          {shown.length < sent.length && (
            <button type="button" class="button small" onClick={() => setAll(true)}>
              Show all {count(sent.length)}
            </button>
          )}
          <div class="request-head">
            <h3>System prompt</h3>
            {payload.systemPrompt && <CopyButton text={() => payload.systemPrompt} label="Copy the system prompt" />}
          </div>
          {payload.systemPrompt ? (
            <pre class="code prose" tabIndex={0} role="region" aria-label="System prompt">
              {payload.systemPrompt}
            </pre>
          ) : (
            <p class="hint">Nothing is added to the host’s own.</p>
          )}
        </>
      )}
    </div>
  );
}

function SentTool({ tool, fresh }: { tool: WireTool; fresh: boolean }) {
  const store = useStore();
  const [open, setOpen] = useState(false);
  const [original, setOriginal] = useState<WireTool | null>(null);
  useLayoutEffect(() => {
    let wanted = true;
    if (open) void store.core.engine.definition(tool.name).then((found) => wanted && setOriginal(found));
    return () => void (wanted = false);
  }, [open, tool.name]);
  const stub = emptied(tool, original);
  return (
    <details class={`sent-tool ${fresh ? "fresh" : ""}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="mono">{tool.name}</span>
        {fresh && <span class="tag new">new</span>}
        {stub && <span class="tag stub">without parameters</span>}
        <span class="cost">{bytes(JSON.stringify(tool.json).length)}</span>
      </summary>
      {stub && (
        <p class="hint emptied">
          Left out: {plural(stub.parameters.length, "parameter")}, <code>{stub.parameters.join(", ")}</code>;{" "}
          {bytes(stub.before)} of schema are {bytes(stub.after)} here.
        </p>
      )}
      {open && <JsonView text={pretty(tool.json)} label={`Definition of ${tool.name}`} />}
    </details>
  );
}

function PartsTable({ turn: { size } }: { turn: Turn }) {
  const { contextWindow } = useStore().snapshot.inForce;
  const tokens = partTokens(size);
  const ofWindow = (tokens: number) => (contextWindow === null ? "" : `${percent(tokens / contextWindow)} of window`);
  return (
    <table class="parts">
      <caption class="visually-hidden">What the tools and the prompt of this request cost, by part</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Tools</th>
          <th scope="col">Tokens</th>
        </tr>
      </thead>
      <tbody>
        {partsInUse([size]).map((part) => (
          <tr key={part} title={LOOKS[part].meaning}>
            <th scope="row">
              <i class={`swatch ${part}`} aria-hidden="true" />
              {LOOKS[part].label}
            </th>
            <td>{size.parts[part].tools > 0 ? plural(size.parts[part].tools, "tool") : ""}</td>
            <td>{count(tokens[part])}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">This request</th>
          <td>{ofWindow(size.request.tokens)}</td>
          <td>{count(size.request.tokens)}</td>
        </tr>
        <tr class="quiet">
          <th scope="row">All tools in full</th>
          <td>{ofWindow(size.full.tokens)}</td>
          <td>{count(size.full.tokens)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
