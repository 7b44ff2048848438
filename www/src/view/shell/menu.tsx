import type { ComponentChildren } from "preact";
import { useLayoutEffect, useId, useRef } from "preact/hooks";

interface Props {
  /** What the button shows. */
  label: ComponentChildren;
  /** What it is called where the label is too short to say it. */
  title: string;
  name: string;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ComponentChildren;
}

/** A button of the bar that opens a panel below it. Escape and a press elsewhere close it. */
export function Menu({ label, title, name, open, onToggle, children }: Props) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const press = (event: PointerEvent) => {
      if (!event.composedPath().includes(root.current as EventTarget)) onToggle(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      onToggle(false);
      root.current?.querySelector<HTMLElement>("button")?.focus();
    };
    addEventListener("pointerdown", press);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("pointerdown", press);
      removeEventListener("keydown", key);
    };
  }, [open, onToggle]);
  return (
    <div ref={root} class="menu" data-menu={name}>
      <button
        type="button"
        class="menu-button"
        aria-expanded={open}
        aria-controls={id}
        title={title}
        onClick={() => onToggle(!open)}
      >
        {label}
        <svg class="menu-arrow" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 3.2 5 6.8 8.5 3.2" />
        </svg>
      </button>
      {open && (
        <div id={id} class="menu-panel" role="region" aria-label={title}>
          {children}
        </div>
      )}
    </div>
  );
}
