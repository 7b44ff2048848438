import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { movesWanted, rolledAt } from "./motion.ts";

/** A number that rolls to its new value where motion is wanted, as fast as the scene moves. */
export function useRolling(value: number): number {
  const [shown, setShown] = useState(value);
  const before = useRef(value);
  useLayoutEffect(() => {
    const from = before.current;
    before.current = value;
    if (from === value || !movesWanted()) return setShown(value);
    const begin = performance.now();
    let frame = 0;
    const roll = (now: number) => {
      const at = rolledAt(Math.max(0, now - begin), from, value);
      setShown(at);
      if (at !== value) frame = requestAnimationFrame(roll);
    };
    frame = requestAnimationFrame(roll);
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return shown;
}
