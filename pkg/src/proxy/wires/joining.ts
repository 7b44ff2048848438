/** What the joiners of all wires keep: which round it is, which calls are the client's, and what the client was told. */

import type { Reply } from "../../wire/api.js";
import { textIn } from "../../wire/fields.js";
import type { SseEvent } from "../sse.js";
import { begun, MOST, replyMark } from "../marks.js";
import type { WireRequest } from "../wire.js";

export abstract class Joining {
  protected readonly isStructured: boolean;
  protected isReal: (name: string) => boolean = () => false;
  protected round = 0;
  /** Whether the stream told of an error. */
  protected failed = false;
  /** The ids of the calls that the client got. */
  protected readonly ids: string[] = [];
  #text = "";

  constructor({ isStructured }: WireRequest) {
    this.isStructured = isStructured;
  }

  get mark(): string {
    return replyMark(this.#text, this.ids);
  }

  begin(isReal: (name: string) => boolean): void {
    this.isReal = isReal;
    this.round += 1;
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

/** A reply whose content is a list of blocks, some of which wait until it is known that the reply is the client's. */
export abstract class BlockJoining<
  At,
  Block extends { waiting: unknown[] | undefined },
  Pieces extends { reply: object | undefined },
> extends Joining {
  protected abstract readonly newPieces: () => Pieces;
  protected abstract readonly read: (message: object) => Reply | undefined;
  protected blocks = new Map<At, Block>();
  protected pieces!: Pieces;
  protected ending: SseEvent[] = [];
  /** Blocks that the client got, so that the next one has this index. */
  protected given = 0;

  override begin(isReal: (name: string) => boolean): void {
    super.begin(isReal);
    this.blocks = new Map();
    this.pieces = this.newPieces();
    this.ending = [];
  }

  ended(): Reply | undefined {
    const { reply } = this.pieces;
    return this.failed || reply === undefined ? undefined : this.read(reply);
  }

  /** The events of a block that has waited. */
  protected abstract released(block: Block): string;

  /** The events of all blocks that wait. */
  protected waiting(): string {
    return [...this.blocks.values()].map((one) => (one.waiting === undefined ? "" : this.released(one))).join("");
  }
}
