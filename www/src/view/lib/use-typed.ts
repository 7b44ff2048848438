import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The page takes a text over when its writer has paused for so long. */
const PAUSE_MS = 250;

/**
 * A text that is being typed, and which the rest of the page learns when its writer pauses: the address is not written, and
 * the page not drawn, for every letter.
 */
export function useTyped(known: string, tell: (text: string) => void) {
  const [typed, setTyped] = useState(known);
  const told = useRef(known);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ typed, tell });
  latest.current = { typed, tell };
  useLayoutEffect(() => {
    // What was set elsewhere counts; what comes back from here does not.
    if (known !== told.current) setTyped(known);
    told.current = known;
  }, [known]);
  const say = () => {
    clearTimeout(timer.current);
    const { typed: text, tell: say } = latest.current;
    if (text === told.current) return;
    told.current = text;
    say(text);
  };
  useLayoutEffect(() => say, []);
  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(say, PAUSE_MS);
  };
  const take = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    told.current = text;
    latest.current.tell(text);
  };
  return { typed, type, take };
}
