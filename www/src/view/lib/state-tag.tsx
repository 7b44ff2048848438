import type { ToolState } from "toolsift";
import { STATES } from "../../model/states.ts";

/** A tool's state in a word; its colour only repeats it. */
export function StateTag({ state, found }: { state: ToolState; found: boolean }) {
  if (found && state === "deferred") {
    return (
      <span class="state found" title="named by the last search, not revealed">
        found
      </span>
    );
  }
  return (
    <span class={`state ${state}`} title={STATES[state].meaning}>
      {STATES[state].label}
      {found ? ", found" : ""}
    </span>
  );
}
