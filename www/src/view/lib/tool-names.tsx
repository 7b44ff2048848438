import { useStore } from "../../app/use-store.ts";

/** Names that are offered at a time: a field with thousands is slow to draw at every letter. */
const OFFERED = 50;

/** The names of tools that hold what is typed, for the list of a field. */
export function ToolNames({ id, typed }: { id: string; typed: string }) {
  const { tools } = useStore().snapshot;
  const wanted = typed.trim().toLowerCase();
  const offered = [];
  for (const { name } of tools) {
    if (offered.length === OFFERED) break;
    if (name.toLowerCase().includes(wanted)) offered.push(name);
  }
  return (
    <datalist id={id}>
      {offered.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
