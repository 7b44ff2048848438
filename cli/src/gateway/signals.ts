/** The signals that end a server. */

/** The exit code of the signal that ends the process. */
export function signalled(): Promise<number> {
  const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(codes)) process.once(signal as keyof typeof codes, () => resolve(code));
  });
}
