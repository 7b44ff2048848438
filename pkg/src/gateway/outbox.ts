/** The messages that a client was sent and has not read yet. Notices to one that does not read are dropped: they would fill the memory. */

/** Characters of notices, or bytes of streams over HTTP, that wait for one client. */
const MOST_WAITING = 1_000_000;

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The open streams of each client over HTTP. */
const STREAMS = new WeakMap<object, Set<Controller>>();

/**
 * A response to a client whose unread bytes are counted.
 *
 * @param client the SDK's server for it
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
        // The SDK's output waits here, where it can be counted, whether somebody reads it or not.
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

/** Notices to one client. */
export class Outbox {
  readonly #client: object;
  #waiting = 0;

  constructor(client: object) {
    this.#client = client;
  }

  /** Sends a notice of about the size of its content, unless too much waits already. What fails is lost. */
  send(content: unknown, work: () => Promise<unknown>): void {
    if (this.#waiting + this.#unread > MOST_WAITING) return;
    const { length } = JSON.stringify(content) ?? "";
    this.#waiting += length;
    void work()
      .catch(() => {})
      .finally(() => (this.#waiting -= length));
  }

  get #unread(): number {
    return [...(STREAMS.get(this.#client) ?? [])].reduce((sum, { desiredSize }) => sum - (desiredSize ?? 0), 0);
  }
}
