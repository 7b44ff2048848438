/** The tools of a client, such as `create_issue` and `delete_issue`. A hundred of them are enough for tool search. */

const NOUNS = ["issue", "invoice", "calendar", "photo", "recipe", "ticket", "branch", "deployment", "alarm", "playlist"];
const VERBS = ["create", "delete", "list", "update", "archive", "share", "export", "import", "search", "rename"];

export const definitions = NOUNS.flatMap((noun) =>
  VERBS.map((verb) => ({
    name: `${verb}_${noun}`,
    description: `${verb[0].toUpperCase()}${verb.slice(1)} one ${noun} of the workspace, with everything that belongs to it. ${"It needs the rights to do so. ".repeat(4)}`,
    inputSchema: {
      type: "object",
      properties: {
        [`${noun}_id`]: { type: "string", description: `The id of the ${noun}` },
        title: { type: "string", description: `The title of the ${noun}` },
      },
      required: [`${noun}_id`],
    },
  })),
);
