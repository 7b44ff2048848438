/** Tools of a client, in the form of each vendor. */

const NOUNS = ["issue", "invoice", "calendar", "photo", "recipe", "ticket", "branch", "deployment", "alarm", "playlist"];
const VERBS = ["create", "delete", "list", "update", "archive", "share", "export", "import", "search", "rename"];

/** Definitions: `create_issue`, `delete_issue`, and so on; a hundred of them are worth searching. */
export const definitions = (count = 100) =>
  Array.from({ length: count }, (_, at) => {
    const [verb, noun] = [VERBS[at % 10], NOUNS[Math.floor(at / 10) % 10]];
    const name = at < 100 ? `${verb}_${noun}` : `${verb}_${noun}_${Math.floor(at / 100)}`;
    const description = `${verb[0].toUpperCase()}${verb.slice(1)} one ${noun} of the workspace, with everything that belongs to it. ${"It needs the rights to do so. ".repeat(4)}`;
    const properties = {
      [`${noun}_id`]: { type: "string", description: `The id of the ${noun}` },
      title: { type: "string", description: `The title of the ${noun}` },
    };
    return { name, description, schema: { type: "object", properties, required: [`${noun}_id`] } };
  });

export const asChat = ({ name, description, schema }) => ({
  type: "function",
  function: { name, description, parameters: schema },
});
export const asResponses = ({ name, description, schema }) => ({
  type: "function",
  name,
  description,
  parameters: schema,
  strict: false,
});
export const asAnthropic = ({ name, description, schema }) => ({ name, description, input_schema: schema });
export const asGoogle = ({ name, description, schema }) => ({ name, description, parametersJsonSchema: schema });
