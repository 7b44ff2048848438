import { useId } from "preact/hooks";
import { ToolNames } from "./tool-names.tsx";

interface Props {
  label: string;
  placeholder?: string;
  value: string;
  onType: (name: string) => void;
}

/** A field for the name of a tool, with the names that fit what is typed. */
export function ToolNameField({ label, placeholder, value, onType }: Props) {
  const id = useId();
  return (
    <>
      <label class="field">
        <span class="field-name">{label}</span>
        <input
          class="mono"
          type="text"
          list={id}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onType(event.currentTarget.value.trim())}
        />
      </label>
      <ToolNames id={id} typed={value} />
    </>
  );
}
