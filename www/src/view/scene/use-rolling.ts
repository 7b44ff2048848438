import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { follow, movesWanted, wayOf } from "./clock.ts";

/** A number that rolls to its new value where motion is wanted. From one unit to another nothing rolls. */
export function useRolling(value: number, unit = ""): number {
  const [shown, setShown] = useState(value);
  const before = useRef({ value, unit });
  useLayoutEffect(() => {
    const { value: from, unit: was } = before.current;
    before.current = { value, unit };
    if (from === value || was !== unit || !movesWanted()) return setShown(value);
    return follow((share) => setShown(share === 1 ? value : from + (value - from) * wayOf(share)));
  }, [value, unit]);
  return shown;
}

/** What words tell: where motion is wanted, they change when what moves is there. */
export function useSettled<T>(value: T): T {
  const [told, setTold] = useState({ value });
  useLayoutEffect(() => {
    if (told.value === value) return;
    if (!movesWanted()) return setTold({ value });
    return follow((share) => share === 1 && setTold({ value }));
  }, [value]);
  return movesWanted() ? told.value : value;
}
