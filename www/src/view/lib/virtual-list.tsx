import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

interface Props<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** About how high a row is, in pixels; rows are measured once they are drawn. */
  estimate: (item: Item) => number;
  row: (item: Item) => ComponentChildren;
  label: string;
  class?: string;
}

/** Rows above and below what is seen, so that scrolling shows no gaps. */
const OVERSCAN = 6;

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

/**
 * A list of which only the rows in sight are drawn. The arrow keys move between rows, and Tab leaves the list: of each row
 * the first button takes the focus.
 */
export function VirtualList<Item>({ items, keyOf, estimate, row, label, class: name = "" }: Props<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const [current, setCurrent] = useState(0);
  const wanted = useRef<number | null>(null);
  const options: VirtualizerOptions<HTMLDivElement, HTMLLIElement> = {
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => estimate(items[index] as Item),
    getItemKey: (index) => keyOf(items[index] as Item),
    overscan: OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    onChange: () => draw(0),
  };
  const [list] = useState(() => new Virtualizer(options));
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  const at = Math.min(current, Math.max(0, items.length - 1));
  const rows = list.getVirtualItems();

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const button = frame.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] button`);
    if (!button) return;
    wanted.current = null;
    button.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const inRow = (event.target as HTMLElement).matches("[data-row-button], [data-row-button] *");
    if (step === undefined || !inRow || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(items.length - 1, at + step));
    setCurrent(next);
    wanted.current = next;
    list.scrollToIndex(next);
    draw(0);
  };
  return (
    <div
      ref={frame}
      class={`virtual ${name}`}
      role="region"
      aria-label={label}
      tabIndex={rows.length > 0 && at >= (rows[0]?.index ?? 0) && at <= (rows.at(-1)?.index ?? 0) ? -1 : 0}
      onKeyDown={move}
      onFocusIn={(event) => {
        const index = (event.target as HTMLElement).closest("[data-index]")?.getAttribute("data-index");
        if (index !== undefined && index !== null) setCurrent(Number(index));
      }}
    >
      <ul class="virtual-rows" style={{ height: `${list.getTotalSize()}px` }}>
        {rows.map(({ key, index, start }) => (
          <li
            key={key}
            ref={(element) => list.measureElement(element)}
            data-index={index}
            data-current={index === at}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(items[index] as Item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
