/** The interface of a transport to a server. */

/** A transport of the MCP SDK that has not been started. */
export interface GatewayTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** Says more about an error of the connection, such as what the process wrote before it ended. */
  explain?(error: unknown): Error;
}
