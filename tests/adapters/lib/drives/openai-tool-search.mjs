/** Drives an agent over the Responses API whose model searches with the vendor's own tool, answered by the session. */

import { converseOverResponses } from "./openai-responses.mjs";

export const openaiToolSearch = {
  adapter: "toolsift/openai",
  road: 'Responses with `toolSearch: "client"`: definitions come by value in the conversation',
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  without: {
    surface: 'the vendor\'s search gives the tools, so that the list is constant already: "option_conflict"',
    profile: "only profiles whose searches load go with the vendor's search",
    limit: "what is revealed stands in the conversation, and needs no room",
    maxTools: "what is revealed stands in the conversation, and needs no room",
    limits: "definitions that stand in the conversation stay there",
    "a catalog may change while a run goes on": "definitions that stand in the conversation stay there",
  },
  converse: ({ additions, ...options }) => converseOverResponses(options, { toolSearch: "client", additions }),
};
