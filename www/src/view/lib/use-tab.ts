import { useStore } from "../../app/use-store.ts";

/** Which part of a view is shown. It stands in the address; without it, the first one is shown. */
export function useTab<Name extends string>(parts: Record<Name, unknown>): [part: Name, show: (part: Name) => void] {
  const store = useStore();
  const names = Object.keys(parts) as Name[];
  const shown = names.find((name) => name === store.place.tab) ?? (names[0] as Name);
  return [shown, (part) => store.showPart({ tab: part === names[0] ? "" : part })];
}
