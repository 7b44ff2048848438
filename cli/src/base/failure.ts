/** The error that ends a command: a message for people, and the exit code that programs read. */

/** A command could not do what was asked. */
export const FAILED = 1;
/** The command line itself is wrong. */
export const WRONG_USAGE = 2;

/** Ends the command with a message on stderr. It has no stack trace: the message says what to do. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = FAILED) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The failure of a command line that is wrong. */
export function misuse(message: string): Failure {
  return new Failure(message, WRONG_USAGE);
}

/** The message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
