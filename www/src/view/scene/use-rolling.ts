import { useEffect, useRef, useState } from "preact/hooks";
import { movesWanted } from "./motion.ts";

const ROLL_MS = 350;

/** A number that rolls to its new value where motion is wanted. */
export function useRolling(value: number): number {
  const [shown, setShown] = useState(value);
  const before = useRef(value);
  useEffect(() => {
    const from = before.current;
    before.current = value;
    if (from === value || !movesWanted()) return setShown(value);
    const begin = performance.now();
    let frame = 0;
    const roll = (now: number) => {
      const share = Math.min(1, (now - begin) / ROLL_MS);
      setShown(share === 1 ? value : from + (value - from) * share);
      if (share < 1) frame = requestAnimationFrame(roll);
    };
    frame = requestAnimationFrame(roll);
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return shown;
}
