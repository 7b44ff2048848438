import { useLayoutEffect, useState } from "preact/hooks";

interface Props {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
  type: "text" | "number";
  class?: string;
  placeholder?: string | undefined;
  value: string;
  onTyped: (text: string) => void;
}

/** A text that is taken over when its writer leaves it: what is being typed outlives whatever else the page shows anew meanwhile. */
export function TypedInput({ type, value, onTyped, ...rest }: Props) {
  const [text, setText] = useState(value);
  useLayoutEffect(() => setText(value), [value]);
  return (
    <input
      {...rest}
      // The types of Preact want to know which one it is.
      type={type as "text"}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => onTyped(event.currentTarget.value)}
    />
  );
}
