import { useId } from "preact/hooks";
import { parseJson } from "../../model/json.ts";
import type { Field } from "../../model/surface.ts";
import { ToolNames } from "./tool-names.tsx";

interface Props {
  field: Field;
  value: string | boolean;
  /** Whether it takes names of tools, which are offered then. */
  takesNames: boolean;
  onChange: (value: string | boolean) => void;
}

/** One argument of a discovery tool, in the form that its schema asks for. */
export function FieldInput({ field, value, takesNames, onChange }: Props) {
  const id = useId();
  if (field.kind === "flag") {
    return (
      <label class="field check" title={field.description}>
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span class="field-name">{field.name}</span>
      </label>
    );
  }
  const text = typeof value === "string" ? value : "";
  return (
    <label class={`field ${field.kind === "number" ? "" : "grow"}`}>
      <span class="field-name">
        {field.name}
        {field.required ? "" : " (optional)"}
      </span>
      {field.kind === "json" ? (
        <textarea
          class="mono"
          rows={Math.min(8, Math.max(2, text.split("\n").length))}
          spellcheck={false}
          value={text}
          aria-describedby={id}
          aria-invalid={text.trim() !== "" && parseJson(text) === undefined}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input
          class="mono"
          type="text"
          inputMode={field.kind === "number" ? "decimal" : "text"}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          list={takesNames ? `${id}-names` : undefined}
          aria-describedby={id}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {takesNames && <ToolNames id={`${id}-names`} typed={text} />}
      <span class="visually-hidden" id={id}>
        {field.kind === "list" ? "Separate several with commas. " : ""}
        {field.description}
      </span>
    </label>
  );
}
