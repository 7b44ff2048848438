/** The error that ends a command, with a message for people and an exit code for programs. */

/** The exit code of a command that failed. */
export const FAILED = 1;
/** The exit code for a wrong command line. */
export const WRONG_USAGE = 2;

/** Ends the command with a message on stderr. No stack trace is printed: the message tells the user what to do. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = FAILED) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the failure for a wrong command line. */
export function misuse(message: string): Failure {
  return new Failure(message, WRONG_USAGE);
}

/** Returns the message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
