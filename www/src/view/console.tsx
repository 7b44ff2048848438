import { useMemo, useState } from "preact/hooks";
import { argumentsOf, type Typed } from "../model/arguments.ts";
import { examplesFor } from "../model/examples.ts";
import { isRecord, parseJson, type JsonRecord } from "../model/json.ts";
import type { Lab } from "../model/lab.ts";
import type { SurfaceTool } from "../model/surface.ts";
import { FieldInput } from "./field-input.tsx";
import { Results } from "./results.tsx";
import { Sessions } from "./sessions.tsx";
import { Transcript } from "./transcript.tsx";

/** A call of a tool of the catalog, as far as it was written. */
export interface Draft {
  tool: string;
  args: string;
}

/** The choice that stands for every tool that is no discovery tool. */
const ANY_TOOL = "";

interface Props {
  lab: Lab;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** Which discovery tool is chosen, or `ANY_TOOL`. */
  chosen: string | null;
  onChoose: (tool: string) => void;
}

/** Where a person takes the model's place: one call at a time, with the answer that the model would get. */
export function Console({ lab, draft, onDraft, chosen, onChoose }: Props) {
  const { surface, current } = lab;
  const tool = chosen === ANY_TOOL ? null : (surface.find((row) => row.name === chosen) ?? surface[0] ?? null);
  return (
    <section class="card console" id="console" tabIndex={-1} aria-labelledby="console-title">
      <header class="card-head">
        <h2 id="console-title">Be the model</h2>
        <Sessions lab={lab} />
      </header>
      <fieldset class="segments">
        <legend class="visually-hidden">Which tool does the model call?</legend>
        {surface.map((row) => (
          <Segment key={row.name} label={row.name} checked={row === tool} onChoose={() => onChoose(row.name)} code />
        ))}
        <Segment label="a tool of the catalog" checked={tool === null} onChoose={() => onChoose(ANY_TOOL)} />
      </fieldset>
      {surface.length === 0 && (
        <p class="hint">Tool search is off with these settings: every tool is sent, and there is nothing to look for.</p>
      )}
      {tool ? (
        <SurfaceForm key={tool.name} lab={lab} tool={tool} />
      ) : (
        <CatalogForm lab={lab} draft={draft} onDraft={onDraft} />
      )}
      <Results lab={lab} />
      <Transcript key={current.id} lab={lab} />
    </section>
  );
}

function Segment(props: { label: string; checked: boolean; onChoose: () => void; code?: boolean }) {
  return (
    <label class={`segment ${props.code ? "mono" : ""}`}>
      <input type="radio" name="console-tool" checked={props.checked} onChange={props.onChoose} />
      <span>{props.label}</span>
    </label>
  );
}

function SurfaceForm({ lab, tool }: { lab: Lab; tool: SurfaceTool }) {
  const [typed, setTyped] = useState<Typed>({});
  const { query } = tool;
  const examples = useMemo(() => (query ? examplesFor(lab.current) : []), [query?.name, lab.current, lab.sources]);
  const run = (values: Typed) => lab.call(tool.name, argumentsOf(tool.fields, values));
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        run(typed);
      }}
    >
      <p class="tool-text">
        <span class="visually-hidden">What the model is told about it: </span>
        {tool.description}
      </p>
      <div class="call-line">
        {tool.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? ""}
            suggestions={field === tool.names ? lab.current.tools.map((row) => row.name) : []}
            onChange={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))}
        <button type="submit" class="button primary">
          Call
          <span class="visually-hidden"> {tool.name}</span>
        </button>
      </div>
      {query && examples.length > 0 && (
        <div class="chips" role="group" aria-label="Queries to try">
          <span class="chips-label">Try</span>
          {examples.map((example) => (
            <button
              key={example.query}
              type="button"
              class="chip mono"
              title={example.why}
              onClick={() => {
                const values = { ...typed, [query.name]: example.query };
                setTyped(values);
                run(values);
              }}
            >
              {example.query}
            </button>
          ))}
        </div>
      )}
    </form>
  );
}

function CatalogForm({ lab, draft, onDraft }: { lab: Lab; draft: Draft; onDraft: (draft: Draft) => void }) {
  const value = draft.args.trim() === "" ? {} : parseJson(draft.args);
  const wrong = !isRecord(value);
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong && draft.tool !== "") lab.call(draft.tool, value as JsonRecord);
      }}
    >
      <p class="tool-text">
        Any name may be called, loaded or not, existing or not: toolsift says whether the host runs it. Nothing is really
        run on this page.
      </p>
      <div class="call-line">
        <label class="field">
          <span class="field-name">tool</span>
          <input
            id="call-tool"
            class="mono"
            type="text"
            list="catalog-names"
            required
            autocomplete="off"
            spellcheck={false}
            value={draft.tool}
            onInput={(event) => onDraft({ ...draft, tool: event.currentTarget.value })}
          />
          <datalist id="catalog-names">
            {lab.current.tools.map((tool) => (
              <option key={tool.name} value={tool.name} />
            ))}
          </datalist>
        </label>
        <label class="field grow">
          <span class="field-name">arguments</span>
          <textarea
            class="mono"
            rows={Math.min(8, Math.max(2, draft.args.split("\n").length))}
            spellcheck={false}
            value={draft.args}
            aria-invalid={wrong}
            aria-describedby={wrong ? "call-args-problem" : undefined}
            onInput={(event) => onDraft({ ...draft, args: event.currentTarget.value })}
          />
          {wrong && (
            <span class="problem" id="call-args-problem">
              Not a JSON object yet.
            </span>
          )}
        </label>
        <button type="submit" class="button primary">
          Call
        </button>
      </div>
    </form>
  );
}
