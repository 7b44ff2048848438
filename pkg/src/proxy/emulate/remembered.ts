/** What responses have loaded, for clients that let the backend keep the conversation. */

import type { Fields } from "../fields.js";

/** Responses that are remembered; the least recently made goes first. */
const MOST = 10_000;

/** What is remembered of one response. */
export interface Response {
  /** The backend's id of the last reply that it was made of. */
  id: string;
  /** The tools that the conversation has loaded, as the vendor's search returns them. */
  tools: Fields[];
}

/** Responses by the ids that clients read. */
export class Remembered {
  readonly #responses = new Map<string, Response>();

  of(id: string | undefined): Response | undefined {
    return id === undefined ? undefined : this.#responses.get(id);
  }

  keep(id: string, response: Response): void {
    this.#responses.delete(id);
    this.#responses.set(id, response);
    const oldest = this.#responses.size > MOST ? this.#responses.keys().next().value : undefined;
    if (oldest !== undefined) this.#responses.delete(oldest);
  }
}
