/** Drives an agent over the Responses API whose model searches with the vendor's own tool, answered by the session. */

import { converseOverResponses } from "./openai-responses.mjs";

export const openaiToolSearch = {
  adapter: "toolsift/openai",
  road: 'Responses with `toolSearch: "client"`: definitions come by value in the conversation',
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  converse: ({ additions, ...options }) => converseOverResponses(options, { toolSearch: "client", additions }),
};
