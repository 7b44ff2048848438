/** The conversations that are open, and the one that is shown. */
import { Conversation, type Rules } from "./conversation.ts";

export class Sessions {
  all: readonly Conversation[] = [];
  current!: Conversation;
  #opened = 0;

  /** One new conversation in place of all. */
  restart(rules: Rules): void {
    this.all = [];
    this.#opened = 0;
    this.open(rules);
  }

  open(rules: Rules): void {
    this.current = new Conversation(sessionName(this.#opened++), rules);
    this.all = [...this.all, this.current];
  }

  select(id: string): void {
    this.current = this.all.find((row) => row.id === id) ?? this.current;
  }

  /** False where there is none of this name, or no other. */
  close(id: string): boolean {
    const closing = this.all.find((row) => row.id === id);
    if (closing === undefined || this.all.length < 2) return false;
    closing.close();
    this.all = this.all.filter((row) => row !== closing);
    if (this.current === closing) this.current = this.all.at(-1) as Conversation;
    return true;
  }

  replay(rules: Rules): void {
    for (const conversation of this.all) conversation.replay(rules);
  }

  /** Who may not see a server may not see it under another name. */
  rename(server: string, to: string): void {
    for (const conversation of this.all) {
      const { excluded } = conversation;
      if (excluded.has(server)) conversation.excluded = new Set([...excluded, to].filter((name) => name !== server));
    }
  }
}

/** A, B, … Z, A2, B2, … */
function sessionName(index: number): string {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round > 0 ? round + 1 : "");
}
