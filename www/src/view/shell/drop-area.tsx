import { useLayoutEffect, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";

/** Texts may be pasted and files dropped anywhere; while they hover, the page says so. */
export function DropArea() {
  const store = useStore();
  const [hovering, setHovering] = useState(false);
  useLayoutEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHovering(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHovering(false);
      void store.takeFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if ((event.target as Element).closest("input, textarea, select") || !/[{[]/.test(text)) return;
      event.preventDefault();
      void store.paste(text);
    };
    addEventListener("paste", paste);
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("paste", paste);
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [store]);
  return hovering ? <div class="drop-veil">Drop your tool lists here</div> : null;
}
