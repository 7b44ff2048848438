/** Remembers the tools that responses have loaded, for clients whose conversation the backend keeps. */

import { Recent } from "../../recent.js";
import type { Fields } from "../../wire/fields.js";

/** Responses that are remembered, and characters of all and of one; what was used the longest ago goes first. */
const MOST = 10_000;
const MOST_CHARS = 67_108_864;
const MOST_OF_ONE = 1_048_576;

/** The memory of one response. */
export interface Response {
  /** The backend's id of the last reply that it was made of. */
  id: string;
  /** The tools that the conversation has loaded, as the vendor's search returns them. */
  tools: Fields[];
}

/** Responses by the ids that clients read: each client has its own. */
export class Remembered {
  readonly #texts = new Recent<string, string>(MOST, undefined, { most: MOST_CHARS, of: ({ length }) => length });

  /** The memory of one client. */
  for(client: string): Memory {
    const keyOf = (id: string) => `${client} ${id}`;
    return {
      of: (id) => {
        const text = id === undefined ? undefined : this.#texts.get(keyOf(id));
        return text === undefined ? undefined : (JSON.parse(text) as Response);
      },
      keep: (id, response) => {
        const text = JSON.stringify(response);
        if (text.length > MOST_OF_ONE) this.#texts.delete(keyOf(id));
        else this.#texts.set(keyOf(id), text);
      },
    };
  }
}

/** The tools that one client's responses have loaded. */
export interface Memory {
  of(id: string | undefined): Response | undefined;
  keep(id: string, response: Response): void;
}
