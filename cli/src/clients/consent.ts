/** Whether a command may change a client's file: somebody was asked, or a flag says so. */

/** The flags that make a change without a question, or none at all. */
export interface Consent {
  yes?: boolean;
  json?: boolean;
  dryRun?: boolean;
}

/** Why a change may not be made; undefined where a flag allows it or a terminal can ask. */
export function refusalOf({ yes, json, dryRun }: Consent): string | undefined {
  const asks = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (yes || json || dryRun || asks) return undefined;
  return "cannot ask without a terminal. Look at the change with --dry-run, then pass --yes.";
}
