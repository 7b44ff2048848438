import type { ComponentChildren } from "preact";

interface Props<Choice extends string> {
  /** Of the group of radios; unique on the page. */
  name: string;
  label: string;
  choices: Record<Choice, ComponentChildren>;
  value: Choice;
  onChoose: (choice: Choice) => void;
}

/** A choice of a few, as a row of radios: the arrow keys move between them. */
export function Tabs<Choice extends string>({ name, label, choices, value, onChoose }: Props<Choice>) {
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {(Object.entries(choices) as [Choice, ComponentChildren][]).map(([choice, text]) => (
        <label key={choice} class="segment">
          <input type="radio" name={name} checked={choice === value} onChange={() => onChoose(choice)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
