import { useEffect, useRef, useState } from "preact/hooks";
import type { Size, WireFormat } from "toolsift";
import { pretty } from "../model/json.ts";
import type { Lab } from "../model/lab.ts";
import { bytes, count, percent, plural } from "../model/numbers.ts";
import { WIRE_FORMATS, type WireTool } from "../model/wire.ts";
import { CopyButton } from "./copy-button.tsx";
import { emptied } from "../model/stubs.ts";
import { JsonView } from "./json-view.tsx";
import { PARTS, partsInUse } from "./parts.ts";

/** Where hundreds of tools are sent, the first of them show how; what is new and what searches is always shown. */
const SHOWN = 12;

/** More new definitions than these would push each other out of sight. */
const OPENED = 3;

/** The next request as it would be sent, with what is new in it. */
export function Request({ lab }: { lab: Lab }) {
  const { current, inForce } = lab;
  const { assembly, sent, fresh, size } = current;
  const [all, setAll] = useState(false);
  const own = new Set(lab.surface.tools.map((tool) => tool.name));
  const short = sent.length <= SHOWN * 2;
  const shown = sent.filter(({ name }, index) => all || short || index < SHOWN || fresh.has(name) || own.has(name));
  const open = fresh.size <= OPENED;
  const originals = new Map(current.tools.map((tool) => [tool.name, tool]));
  const originalOf = (name: string) => {
    const info = originals.get(name);
    return info ? lab.definition(info) : null;
  };
  const card = useRef<HTMLElement>(null);
  useEffect(() => showNewest(card.current), [fresh]);
  return (
    <section ref={card} class="card request" aria-labelledby="request-title">
      <header class="card-head">
        <h2 id="request-title">What the model is sent</h2>
        <label class="inline-field">
          <span>Format</span>
          <select
            value={inForce.format}
            onChange={(event) => lab.change("format", event.currentTarget.value as WireFormat)}
          >
            {Object.entries(WIRE_FORMATS).map(([value, label]) => (
              <option value={value}>{label}</option>
            ))}
          </select>
        </label>
      </header>
      <PartsTable lab={lab} />
      <div class="request-head">
        <h3>
          <code>tools</code> <span class="tab-note">{sent.length}</span>
        </h3>
        <CopyButton text={() => pretty(assembly.tools)} label="Copy the tools array" />
      </div>
      <ul class="sent">
        {shown.map((tool) => (
          <li key={tool.name}>
            <SentTool tool={tool} original={originalOf(tool.name)} fresh={fresh.has(tool.name)} open={open} />
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
        {assembly.systemPrompt && <CopyButton text={() => assembly.systemPrompt} label="Copy the system prompt" />}
      </div>
      {assembly.systemPrompt ? (
        <pre class="code prose" tabIndex={0} role="region" aria-label="System prompt">
          {assembly.systemPrompt}
        </pre>
      ) : (
        <p class="hint">Nothing is added to the host’s own.</p>
      )}
      <p class="hint">{prefixText(size)}</p>
    </section>
  );
}

/** Where the card scrolls by itself, brings what is new into its sight, and leaves the page where it is. */
function showNewest(card: HTMLElement | null): void {
  const newest = [...(card?.querySelectorAll(".sent-tool.fresh") ?? [])].at(-1);
  if (!card || !newest) return;
  const below = newest.getBoundingClientRect().bottom - card.getBoundingClientRect().bottom;
  if (below > 0) card.scrollTop += below + 8;
}

function prefixText({ prefix }: Size): string {
  if (prefix.bytes === 0) return "The first request with these settings: no prompt cache has seen it.";
  const kept = `${percent(prefix.share)} of the tools sent before (${bytes(prefix.bytes)})`;
  return `${kept} stand unchanged at the start, so a vendor’s prompt cache keeps them.`;
}

interface SentToolProps {
  tool: WireTool;
  /** As its server sent it; null for what toolsift adds. */
  original: WireTool | null;
  fresh: boolean;
  /** Whether what is new is unfolded. */
  open: boolean;
}

function SentTool({ tool, original, fresh, open }: SentToolProps) {
  const stub = emptied(tool, original);
  return (
    <details class={`sent-tool ${fresh ? "fresh" : ""}`} open={fresh && open}>
      <summary>
        <span class="mono">{tool.name}</span>
        {fresh && <span class="tag new">new</span>}
        {stub && <span class="tag stub">stub</span>}
        <span class="cost">{bytes(JSON.stringify(tool.json).length)}</span>
      </summary>
      {stub && (
        <p class="hint emptied">
          Left out: {plural(stub.parameters.length, "parameter")}, <code>{stub.parameters.join(", ")}</code>;{" "}
          {bytes(stub.before)} of schema are {bytes(stub.after)} here.
        </p>
      )}
      <JsonView text={pretty(tool.json)} label={`Definition of ${tool.name}`} />
    </details>
  );
}

function PartsTable({ lab }: { lab: Lab }) {
  const { size } = lab.current;
  const { contextWindow } = lab.inForce;
  const ofWindow = (tokens: number) => (contextWindow === null ? "" : `${percent(tokens / contextWindow)} of window`);
  return (
    <table class="parts">
      <caption class="visually-hidden">What the next request costs, by part</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Tools</th>
          <th scope="col">Tokens</th>
        </tr>
      </thead>
      <tbody>
        {partsInUse([size]).map((part) => (
          <tr key={part} title={PARTS[part].meaning}>
            <th scope="row">
              <i class={`swatch ${part}`} aria-hidden="true" />
              {PARTS[part].label}
            </th>
            <td>{size.parts[part].tools > 0 ? plural(size.parts[part].tools, "tool") : ""}</td>
            <td>{count(size.parts[part].tokens)}</td>
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
          <th scope="row">Everything in full</th>
          <td>{ofWindow(size.full.tokens)}</td>
          <td>{count(size.full.tokens)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
