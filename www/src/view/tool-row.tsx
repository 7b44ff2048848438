import { useState } from "preact/hooks";
import type { ToolInfo } from "toolsift";
import { pretty } from "../model/json.ts";
import type { Lab } from "../model/lab.ts";
import { count } from "../model/numbers.ts";
import { draftOf, type Draft } from "../model/steps.ts";
import { JsonView } from "./json-view.tsx";
import { StateTag } from "./state-tag.tsx";

interface Props {
  lab: Lab;
  tool: ToolInfo;
  /** Tokens of the dearest tool: what a full bar stands for. */
  most: number;
  onCall: (draft: Draft) => void;
}

/** One tool in a line; its description and schema on demand. */
export function ToolRow({ lab, tool, most, onCall }: Props) {
  const [open, setOpen] = useState(false);
  const found = lab.current.found.has(tool.name);
  return (
    <li class={`tool ${tool.state} ${found ? "is-found" : ""}`} data-tool={tool.name}>
      <button type="button" class="tool-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="tool-name mono">{tool.name}</span>
        <StateTag state={tool.state} found={found} />
        <svg class="tool-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={(tool.tokens / most) * 100} height="4" />
        </svg>
        <span class="cost">
          {count(tool.tokens)}
          <span class="visually-hidden"> tokens</span>
        </span>
      </button>
      {open && <ToolDetails lab={lab} tool={tool} onCall={onCall} />}
    </li>
  );
}

function ToolDetails({ lab, tool, onCall }: Omit<Props, "most">) {
  const definition = lab.definition(tool);
  const explanation = lab.current.explain(tool.name);
  const pinned = lab.settings.preDiscovered.includes(tool.name);
  return (
    <div class="tool-details">
      <p>{tool.description || "It has no description."}</p>
      {tool.name !== tool.originalName && (
        <p class="hint">
          Its server calls it <code>{tool.originalName}</code>; the model sees <code>{tool.name}</code>.
        </p>
      )}
      {explanation && <p class="hint">In the last search: {explanation.reason}</p>}
      <div class="actions">
        <button
          type="button"
          class="button small"
          onClick={() => onCall(draftOf(tool, lab.surface, definition?.schema ?? {}))}
        >
          Call it
        </button>
        <button type="button" class="button small" aria-pressed={pinned} onClick={() => lab.togglePin(tool.name)}>
          {pinned ? "Unpin" : "Pin: every session starts with it"}
        </button>
      </div>
      {definition && <JsonView text={pretty(definition.schema)} label={`Schema of ${tool.name}`} />}
    </div>
  );
}
