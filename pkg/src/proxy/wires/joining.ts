/** What the joiners of all wires keep: which round it is, which calls are the client's, and what the client was told. */

import { textIn } from "../../wire/fields.js";
import { begun, MOST, replyMark } from "../marks.js";
import type { WireRequest } from "../wire.js";

export abstract class Joining {
  protected readonly isStructured: boolean;
  protected isReal: (name: string) => boolean = () => false;
  protected round = 0;
  protected failed = false;
  /** Whether the model has begun a call in this round. */
  protected hasCall = false;
  protected readonly ids: string[] = [];
  #text = "";

  constructor({ isStructured }: WireRequest) {
    this.isStructured = isStructured;
  }

  get mark(): string {
    return replyMark(this.#text, this.ids);
  }

  get isCut(): boolean {
    return !this.failed && (this.hasCall || this.round > 1);
  }

  begin(isReal: (name: string) => boolean): void {
    this.isReal = isReal;
    this.round += 1;
    this.hasCall = false;
  }

  /** Takes a text that the client gets. */
  protected tell(text: unknown): void {
    if (this.#text.length < MOST) this.#text += begun(textIn(text) ?? "");
  }

  /** Whether a text begins as the JSON that was demanded does: then it is the reply itself, and no other text comes. */
  protected beginsJson(text: string): boolean {
    return /^\s*[[{]/.test(text);
  }
}
