import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { argumentsOf, sampleArguments, type Typed } from "../../model/arguments.ts";
import { isRecord, parseJson, pretty, type JsonRecord } from "../../model/json.ts";
import type { Draft } from "../../model/steps.ts";
import type { SurfaceTool } from "../../model/surface.ts";
import { FieldInput } from "../lib/field-input.tsx";
import { ToolNames } from "../lib/tool-names.tsx";
import { useCall } from "./use-calls.ts";

/** The choice that stands for every tool that is no discovery tool. */
export const ANY_TOOL = "";

/** The choice in which the user speaks. */
export const USER = " user";

/** What is typed into the forms of the discovery tools; what is looked for is kept from one profile to the next. */
export type Forms = Record<string, Typed>;

interface Props {
  forms: Forms;
  onForms: (forms: Forms) => void;
  /** A call of a tool of the catalog, directly or through a bridge. */
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** Which discovery tool is chosen, or `ANY_TOOL`, or `USER`. */
  chosen: string | null;
  onChoose: (tool: string) => void;
}

/** Where a person takes the model's place, or the user's: one step at a time. */
export function Composer({ forms, onForms, draft, onDraft, chosen, onChoose }: Props) {
  const { current, inForce } = useStore().snapshot;
  const surface = current.surface.tools;
  const special = chosen === ANY_TOOL || chosen === USER;
  const tool = special ? null : (surface.find((row) => row.name === chosen) ?? surface[0] ?? null);
  const saying = chosen === USER;
  return (
    <section class="composer" id="composer" tabIndex={-1} aria-labelledby="composer-title">
      <h2 id="composer-title">Be the model</h2>
      <fieldset class="segments">
        <legend class="visually-hidden">What comes next?</legend>
        {surface.map((row) => (
          <Segment key={row.name} label={row.name} checked={row === tool} onChoose={() => onChoose(row.name)} code />
        ))}
        <Segment label="a tool of the catalog" checked={tool === null && !saying} onChoose={() => onChoose(ANY_TOOL)} />
        <Segment label="the user" checked={saying} onChoose={() => onChoose(USER)} />
      </fieldset>
      {surface.length === 0 && (
        <p class="hint">Nothing is deferred with these settings: every tool is sent, and there is nothing to search for.</p>
      )}
      {saying ? (
        <UserForm />
      ) : tool ? (
        <SurfaceForm
          key={`${inForce.profile} ${tool.name}`}
          tool={tool}
          typed={typedOf(tool, forms, draft)}
          onTyped={(typed) => {
            if (tool.passed && tool.names) {
              onDraft({
                via: tool.name,
                tool: String(typed[tool.names.name] ?? ""),
                args: String(typed[tool.passed.name] ?? ""),
              });
            }
            onForms({ ...forms, [formKey(tool)]: typed });
          }}
        />
      ) : (
        <CatalogForm draft={draft} onDraft={onDraft} />
      )}
    </section>
  );
}

function formKey(tool: SurfaceTool): string {
  return tool.query ? "search" : tool.name;
}

/** The form of a bridge shows the call that is being written, wherever it was begun. */
function typedOf(tool: SurfaceTool, forms: Forms, draft: Draft): Typed {
  const typed = forms[formKey(tool)] ?? {};
  if (!tool.passed || !tool.names || draft.tool === "") return typed;
  return { ...typed, [tool.names.name]: draft.tool, [tool.passed.name]: draft.args };
}

function Segment(props: { label: string; checked: boolean; onChoose: () => void; code?: boolean }) {
  return (
    <label class={`segment ${props.code ? "mono" : ""}`}>
      <input type="radio" name="composer-tool" checked={props.checked} onChange={props.onChoose} />
      <span>{props.label}</span>
    </label>
  );
}

function UserForm() {
  const store = useStore();
  const [text, setText] = useState("");
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        void store.run((engine) => engine.play({ kind: "say", text: text.trim() }));
        setText("");
      }}
    >
      <div class="call-line">
        <label class="field grow">
          <span class="field-name">What the user says</span>
          <input type="text" maxLength={2000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary">
          Say it
        </button>
      </div>
    </form>
  );
}

interface SurfaceFormProps {
  tool: SurfaceTool;
  typed: Typed;
  onTyped: (typed: Typed) => void;
}

function SurfaceForm({ tool, typed, onTyped }: SurfaceFormProps) {
  const store = useStore();
  const call = useCall();
  const { examples, tools } = store.snapshot;
  const { query, names, passed } = tool;
  const run = (values: Typed) => call(tool.name, argumentsOf(tool.fields, values));
  /** As soon as there is a tool of the name, its arguments are sketched from its schema, unless somebody has written their own. */
  const write = async (next: Typed) => {
    onTyped(next);
    if (!names || !passed || next[names.name] === typed[names.name]) return;
    const own = next[passed.name] ?? "";
    if (own !== "" && own !== "{}" && own !== (await sketch(typed[names.name]))) return;
    const sketched = await sketch(next[names.name]);
    if (sketched !== "") onTyped({ ...next, [passed.name]: sketched });
  };
  const sketch = async (name: unknown) => {
    if (typeof name !== "string" || !tools.some((row) => row.name === name)) return "";
    return pretty(sampleArguments((await store.core.engine.definition(name))?.schema ?? {}));
  };
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        run(typed);
      }}
    >
      <details class="tool-text">
        <summary>What the model is told about {tool.name}</summary>
        <p>{tool.description}</p>
      </details>
      <div class="call-line">
        {tool.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? ""}
            takesNames={field === names}
            onChange={(value) => void write({ ...typed, [field.name]: value })}
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

function CatalogForm({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) {
  const call = useCall();
  const value = draft.args.trim() === "" ? {} : parseJson(draft.args);
  const wrong = !isRecord(value);
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong && draft.tool !== "") call(draft.tool, value as JsonRecord);
      }}
    >
      <p class="tool-text">
        Any name may be called, revealed or not, existing or not: toolsift says whether the host runs it. Nothing is really
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
          <ToolNames id="catalog-names" typed={draft.tool} />
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
