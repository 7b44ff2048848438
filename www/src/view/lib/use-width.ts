import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The element to give as `ref`, and how wide it is now, in whole pixels; `first` before it is known. */
export function useWidth(first = 0) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
}
