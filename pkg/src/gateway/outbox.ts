/** Counts the messages that a client has not read yet, and drops further notices to it: they would fill the memory. */

/** The maximum size of unread notices (in characters) and HTTP streams (in bytes) of one client. */
const MOST_WAITING = 1_000_000;

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The open HTTP streams of each client. */
const STREAMS = new WeakMap<object, Set<Controller>>();

/**
 * Returns a response that counts its unread bytes.
 *
 * @param client the client's MCP server of the SDK
 */
export function counted(client: object, response: Response, ended: () => void = () => {}): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    ended();
    return response;
  }
  const open = STREAMS.get(client) ?? new Set();
  STREAMS.set(client, open);
  const reader = body.getReader();
  let mine: Controller;
  const end = () => {
    if (open.delete(mine)) ended();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        open.add((mine = controller));
        // The SDK's output waits in this stream, where it can be counted, even if nobody reads it.
        const take = async (): Promise<void> => {
          for (let next = await reader.read(); !next.done; next = await reader.read()) controller.enqueue(next.value);
          controller.close();
        };
        void take()
          .catch((error: unknown) => controller.error(error))
          .finally(end);
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(stream, { status, statusText, headers });
}

/** The notices to one client. */
export class Outbox {
  #waiting = 0;

  constructor(private readonly client: object) {}

  /** Sends a notice, unless too many characters are unread. A notice that fails is lost. */
  send(content: unknown, work: () => Promise<unknown>): void {
    if (this.#waiting + this.#unread > MOST_WAITING) return;
    const { length } = JSON.stringify(content) ?? "";
    this.#waiting += length;
    void work()
      .catch(() => {})
      .finally(() => (this.#waiting -= length));
  }

  get #unread(): number {
    return [...(STREAMS.get(this.client) ?? [])].reduce((sum, { desiredSize }) => sum - (desiredSize ?? 0), 0);
  }
}
