import type { ConversationView, ScriptInfo } from "../../core/types.ts";
import { plural } from "../../model/numbers.ts";

/** The conversation of the visitor, among the scripts. */
export const OWN = "own";

export function ownScript(steps: number): string {
  return `this conversation (${plural(steps, "step")})`;
}

/** Whether the steps of a conversation, played and to come, are those of a script. */
export function isPlayed({ steps }: ScriptInfo, { script, ahead }: ConversationView): boolean {
  return JSON.stringify(steps) === JSON.stringify([...script, ...ahead]);
}

/** What can be chosen: what was written for the page, and what a real model did. */
export function ScriptOptions({ scripts }: { scripts: readonly ScriptInfo[] }) {
  const group = (label: string, recorded: boolean) => {
    const rows = [...scripts.entries()].filter(([, script]) => (script.recorded !== undefined) === recorded);
    if (rows.length === 0) return null;
    return (
      <optgroup label={label}>
        {rows.map(([index, { title }]) => (
          <option key={title} value={String(index)}>
            {title}
          </option>
        ))}
      </optgroup>
    );
  };
  return (
    <>
      {group("Written", false)}
      {group("Recorded with a real model", true)}
    </>
  );
}
