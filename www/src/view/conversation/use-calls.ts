import { useStore } from "../../app/use-store.ts";
import type { JsonRecord } from "../../model/json.ts";
import { stepOf } from "../../model/steps.ts";

/** Makes a call as the model, under the profile at work. */
export function useCall(): (tool: string, args: JsonRecord) => void {
  const store = useStore();
  return (tool, args) => {
    const { current, tools } = store.snapshot;
    void store.run((engine) => engine.play(stepOf(tool, args, current.surface, tools)));
  };
}
