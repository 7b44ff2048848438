/** Keeps the events of sessions over HTTP: a client whose stream broke off takes it up again where it ended. */

import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Characters that all sessions together may keep. The oldest events go first; a stream that lost events cannot be taken up again. */
const MOST_CHARS = 32_000_000;
const MOST_EVENTS = 20_000;

interface StoredEvent {
  session: object;
  stream: string;
  message: JSONRPCMessage;
  chars: number;
}

/** The events of all sessions, the oldest first. */
export class Events {
  readonly #kept = new Map<string, StoredEvent>();
  #chars = 0;

  of(session: object): EventStore {
    const eventOf = (id: string) => {
      const kept = this.#kept.get(id);
      return kept?.session === session ? kept : undefined;
    };
    return {
      storeEvent: async (stream, message) => this.#keep({ session, stream, message, chars: JSON.stringify(message).length }),
      getStreamIdForEventId: async (id) => eventOf(id)?.stream,
      replayEventsAfter: async (last, { send }) => {
        const from = eventOf(last);
        if (from === undefined) throw new Error("the event is not kept any more");
        let isAfter = false;
        // Events that are sent meanwhile are appended, and this loop reaches them, too.
        for (const [id, { session: owner, stream, message }] of this.#kept) {
          if (isAfter && owner === session && stream === from.stream) await send(id, message);
          if (id === last) isAfter = true;
        }
        return from.stream;
      },
    };
  }

  drop(session: object): void {
    for (const [id, kept] of this.#kept) if (kept.session === session) this.#remove(id, kept);
  }

  #keep(event: StoredEvent): string {
    // Ids say nothing of how much other sessions are sent.
    const id = crypto.randomUUID();
    this.#kept.set(id, event);
    this.#chars += event.chars;
    for (const [oldest, kept] of this.#kept) {
      if (this.#chars <= MOST_CHARS && this.#kept.size <= MOST_EVENTS) break;
      this.#remove(oldest, kept);
    }
    return id;
  }

  #remove(id: string, { chars }: StoredEvent): void {
    this.#kept.delete(id);
    this.#chars -= chars;
  }
}
