import { useLayoutEffect, useState } from "preact/hooks";
import type { Explanation, ToolInfo } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { pretty } from "../../model/json.ts";
import { count } from "../../model/numbers.ts";
import type { WireTool } from "../../model/wire.ts";
import { JsonView } from "../lib/json-view.tsx";
import { StateTag } from "../lib/state-tag.tsx";

interface Props {
  tool: ToolInfo;
  found: boolean;
  /** Tokens of the largest tool: what a full bar stands for. */
  most: number;
  withServer: boolean;
  open: boolean;
  onToggle: (name: string) => void;
}

/** One tool in a line; its description and schema on demand. */
export function ToolRow({ tool, found, most, withServer, open, onToggle }: Props) {
  return (
    <div class={`tool ${tool.state} ${found ? "is-found" : ""}`} data-tool={tool.name}>
      <button type="button" class="tool-line" data-row-button aria-expanded={open} onClick={() => onToggle(tool.name)}>
        <span class="tool-name mono">
          {tool.name}
          {withServer && <span class="tool-server"> {tool.server}</span>}
        </span>
        <span class="tool-about" aria-hidden="true">
          {tool.description}
        </span>
        <StateTag state={tool.state} found={found} />
        <svg class="tool-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={(tool.tokens / most) * 100} height="4" />
        </svg>
        <span class="cost">
          {count(tool.tokens)}
          <span class="visually-hidden"> tokens</span>
        </span>
      </button>
      {open && <ToolDetails tool={tool} />}
    </div>
  );
}

function ToolDetails({ tool }: { tool: ToolInfo }) {
  const store = useStore();
  const { settings, current } = store.snapshot;
  const [definition, setDefinition] = useState<WireTool | null>(null);
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const query = current.lastSearch?.query ?? null;
  useLayoutEffect(() => {
    let wanted = true;
    void store.core.engine.definition(tool.name).then((found) => wanted && setDefinition(found));
    if (query === null) setExplanation(null);
    else void store.core.engine.explain(query, tool.name).then((found) => wanted && setExplanation(found));
    return () => void (wanted = false);
  }, [tool.name, query, current]);
  const pinned = settings.preDiscovered.includes(tool.name);
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
          onClick={() => {
            void store.run((engine) => engine.play({ kind: "use", name: tool.name }));
            store.go("conversation");
          }}
        >
          Use it in the conversation
        </button>
        <button
          type="button"
          class="button small"
          aria-pressed={pinned}
          onClick={() => void store.run((engine) => engine.togglePin(tool.name))}
        >
          {pinned ? "Unpin" : "Pin: every session starts with it"}
        </button>
      </div>
      {definition && <JsonView text={pretty(definition.schema)} label={`Schema of ${tool.name}`} />}
    </div>
  );
}
