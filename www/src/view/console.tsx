import { useMemo } from "preact/hooks";
import { argumentsOf, sampleArguments, type Typed } from "../model/arguments.ts";
import { examplesFor } from "../model/examples.ts";
import { isRecord, parseJson, pretty, type JsonRecord } from "../model/json.ts";
import type { Lab } from "../model/lab.ts";
import type { Draft } from "../model/steps.ts";
import type { SurfaceTool } from "../model/surface.ts";
import { FieldInput } from "./field-input.tsx";
import { Results } from "./results.tsx";
import { Sessions } from "./sessions.tsx";
import { Transcript } from "./transcript.tsx";

/** The choice that stands for every tool that is no discovery tool. */
export const ANY_TOOL = "";

/** What is typed into the forms of the discovery tools; what is looked for is kept from one profile to the next. */
export type Forms = Record<string, Typed>;

export function formKey(tool: SurfaceTool): string {
  return tool.query ? "search" : tool.name;
}

interface Props {
  lab: Lab;
  forms: Forms;
  onForms: (forms: Forms) => void;
  /** A direct call. */
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** Writes a call of a tool, on the way that is open to it. */
  onCall: (draft: Draft) => void;
  /** Which discovery tool is chosen, or `ANY_TOOL`. */
  chosen: string | null;
  onChoose: (tool: string) => void;
}

/** Where a person takes the model's place: one call at a time, with the answer that the model would get. */
export function Console({ lab, forms, onForms, draft, onDraft, onCall, chosen, onChoose }: Props) {
  const { current } = lab;
  const surface = lab.surface.tools;
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
        <p class="hint">Nothing is held back with these settings: every tool is sent, and there is nothing to look for.</p>
      )}
      {tool ? (
        <SurfaceForm
          key={`${lab.inForce.profile} ${tool.name}`}
          lab={lab}
          tool={tool}
          typed={forms[formKey(tool)] ?? {}}
          onTyped={(typed) => onForms({ ...forms, [formKey(tool)]: typed })}
        />
      ) : (
        <CatalogForm lab={lab} draft={draft} onDraft={onDraft} />
      )}
      <Results lab={lab} onCall={onCall} />
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

interface SurfaceFormProps {
  lab: Lab;
  tool: SurfaceTool;
  typed: Typed;
  onTyped: (typed: Typed) => void;
}

function SurfaceForm({ lab, tool, typed, onTyped }: SurfaceFormProps) {
  const { query } = tool;
  const examples = useMemo(
    () => (query ? examplesFor(lab.current, lab.rules) : []),
    [query?.name, lab.current, lab.edition, lab.inForce],
  );
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
            onChange={(value) => onTyped(written(lab, tool, { ...typed, [field.name]: value }, typed))}
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
                onTyped(values);
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

/**
 * A call that is handed on needs the arguments of the tool that is named: as soon as there is one of that name they are
 * sketched from its schema, unless somebody has written their own.
 */
function written(lab: Lab, tool: SurfaceTool, typed: Typed, before: Typed): Typed {
  const { names, passed } = tool;
  if (!names || !passed || typed[names.name] === before[names.name]) return typed;
  const sketch = (name: unknown) => {
    const info = lab.current.tools.find((row) => row.name === name);
    return info ? pretty(sampleArguments(lab.definition(info)?.schema ?? {})) : "";
  };
  const own = typed[passed.name] ?? "";
  if (own !== "" && own !== sketch(before[names.name])) return typed;
  return { ...typed, [passed.name]: sketch(typed[names.name]) || own };
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
