import { useEffect, useState } from "preact/hooks";
import type { Lab } from "../model/lab.ts";
import { takeFiles, type Reading } from "./take-files.ts";

/** Files may be dropped anywhere; while they hover, the page says so. */
export function DropArea({ lab, onRead }: { lab: Lab; onRead: (readings: Reading[]) => void }) {
  const [hovering, setHovering] = useState(false);
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHovering(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = async (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHovering(false);
      const readings = await takeFiles(lab, [...(event.dataTransfer?.files ?? [])]);
      onRead(readings);
      if (readings.some((reading) => reading.problem !== null)) document.getElementById("own")?.scrollIntoView();
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [lab, onRead]);
  return hovering ? <div class="drop-veil">Drop tools/list files</div> : null;
}
