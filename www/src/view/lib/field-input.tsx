import { useId } from "preact/hooks";
import { parseJson } from "../../model/json.ts";
import type { Field } from "../../model/surface.ts";

interface Props {
  field: Field;
  value: string | boolean;
  suggestions: readonly string[];
  onChange: (value: string | boolean) => void;
}

/** One argument of a discovery tool, in the form that its schema asks for. */
export function FieldInput({ field, value, suggestions, onChange }: Props) {
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
          list={suggestions.length > 0 ? `${id}-names` : undefined}
          aria-describedby={id}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-names`}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      <span class="visually-hidden" id={id}>
        {field.kind === "list" ? "Separate several with commas. " : ""}
        {field.description}
      </span>
    </label>
  );
}
