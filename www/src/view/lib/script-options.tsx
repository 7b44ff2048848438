import type { ScriptInfo } from "../../core/types.ts";

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
