/**
 * Measures the tool search of AI SDK 7: the product's own function, bound to the deferred tools of a request as
 * `generateText` does it. It reads only names and descriptions, and keeps no index.
 */

import { jsonSchema, tool, toolSearch } from "ai-7";
import { createToolSearchState } from "ai-7/internal";
import { documentsOf } from "../documents.mjs";

export function open({ limit }) {
  const tools = { search_tools: toolSearch({ maxResults: limit }) };
  const inputSchema = jsonSchema({ type: "object" });
  let bound;
  return {
    prepare: documentsOf,
    add: (documents) => {
      for (const { key, description } of documents) tools[key] = tool({ description, inputSchema, deferLoading: true });
    },
    finish: () => void (bound = createToolSearchState({ tools })(tools).search_tools),
    countOf: ({ tools }) => tools.length,
    searches: { "ai-sdk": (query) => bound.execute({ query }) },
  };
}
