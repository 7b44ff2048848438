import { useEffect, useState } from "preact/hooks";
import type { Lab } from "../model/lab.ts";

/** Renders again whenever the lab changed. */
export function useLab(lab: Lab): void {
  const [, setVersion] = useState(0);
  useEffect(() => lab.subscribe(() => setVersion((version) => version + 1)), [lab]);
}
