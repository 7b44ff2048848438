import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** What was answered, and whether a newer question is still open. */
export interface Answered<Answer> {
  answer: Answer | null;
  busy: boolean;
  problem: string | null;
}

/**
 * Asks a worker whenever `key` changes; null asks nothing. One question is open at a time: what is typed meanwhile is asked
 * once, in its last form.
 */
export function useAnswer<Answer>(key: string | null, ask: () => Promise<Answer>): Answered<Answer> {
  const [answered, setAnswered] = useState<Answered<Answer>>({ answer: null, busy: false, problem: null });
  const newest = useRef({ key, ask, open: false, mounted: true });
  newest.current.key = key;
  newest.current.ask = ask;
  useLayoutEffect(() => {
    const state = newest.current;
    state.mounted = true;
    return () => void (state.mounted = false);
  }, []);
  useLayoutEffect(() => {
    const state = newest.current;
    if (key === null) return setAnswered({ answer: null, busy: false, problem: null });
    setAnswered((before) => ({ ...before, busy: true }));
    if (state.open) return;
    const run = async () => {
      state.open = true;
      let asked: string | null = null;
      while (state.mounted && state.key !== null && state.key !== asked) {
        asked = state.key;
        try {
          const answer = await state.ask();
          if (state.mounted && state.key !== null) setAnswered({ answer, busy: state.key !== asked, problem: null });
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error);
          if (state.mounted && state.key !== null) setAnswered({ answer: null, busy: false, problem });
        }
      }
      state.open = false;
    };
    void run();
  }, [key]);
  return answered;
}
