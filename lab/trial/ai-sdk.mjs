/** A conversation with the original code of AI SDK 7: its `toolSearch`, bound as in a generation. */

import { asSchema, jsonSchema, NoSuchToolError, tool, toolSearch } from "ai-7";
import { createToolSearchState } from "ai-7/internal";
import { WIRES } from "../conversation/wire.mjs";

const SEARCH = "toolSearch";

export function aiSdkHost(definitions) {
  const deferred = definitions.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema), deferLoading: true }),
  ]);
  const all = { [SEARCH]: toolSearch(), ...Object.fromEntries(deferred) };
  const forStep = createToolSearchState({ tools: all, toolCallers: undefined });
  let active = {};
  return {
    assemble: (format) => {
      active = forStep(all);
      const sent = Object.entries(active).map(([name, { description, inputSchema }]) => ({
        name,
        description,
        inputSchema: asSchema(inputSchema).jsonSchema,
      }));
      return { tools: WIRES[format].tools(sent), prompt: "" };
    },
    call: async (name, args) => {
      if (!Object.hasOwn(active, name)) {
        const { message } = new NoSuchToolError({ toolName: name, availableTools: Object.keys(active) });
        return { is: "refused", code: Object.hasOwn(all, name) ? "tool_not_loaded" : "tool_unknown", content: message };
      }
      if (name !== SEARCH) return { is: "ran", name };
      const found = await active[SEARCH].execute({ query: String(args?.query ?? "") });
      return { is: "search", content: JSON.stringify(found), revealed: found.tools.map((one) => one.name) };
    },
  };
}
