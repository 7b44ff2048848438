/** Types of the guard, which remembers approved definitions (pins), reports suspicious texts and quarantines tools. */

/** The pin of a tool: the remembered hash of its approved definition. */
export interface ToolPin {
  server: string;
  /** The tool's name in the server's list. */
  name: string;
  /** The SHA-256 hash of the parts of the definition that a model reads or a client decides by, as 64 hexadecimal digits. */
  hash: string;
  /** The pinned definition and when it was read. Without them, only a definition with this hash counts as approved. */
  definition?: unknown;
  seen?: string;
}

/** A change of a registered tool that a person should know about. The tool is not quarantined. */
export interface ToolNews {
  server: string;
  name: string;
  hash: string;
  /**
   * The places that were added since the tool was pinned, such as `inputSchema.properties.limit`. The model does not see
   * them until your program accepts them. Empty for a tool that is new on a server with pins for other tools.
   */
  added: string[];
}

/** A text of a definition that a person should check. Most such texts have honest reasons. */
export interface SuspiciousText {
  /** The server; null for a tool of your program. */
  server: string | null;
  name: string;
  /**
   * `hidden-text`: Unicode that is not shown. `control`: control characters or unpaired surrogates. `addresses-model`: an
   * order to the model. `look-alike`: a word with similar letters of another script, or a name that looks like a name that
   * an earlier server has.
   */
  kind: "hidden-text" | "addresses-model" | "look-alike" | "control";
  where: "name" | "title" | "description" | "text" | "parameters" | "output" | "annotations" | "keywords";
  /** The finding, in one line without hidden characters. */
  detail: string;
}

/** A tool that is not searched, listed or called until your program accepts it. */
export interface QuarantinedTool extends ToolPin {
  /**
   * `changed`: the definition differs from the pinned one. `suspicious`: one of its texts is suspicious. `limit`: the
   * maximum number of pins is reached.
   */
  reason: "changed" | "suspicious" | "limit";
  /** The reason in a sentence. */
  message: string;
  /** The hash of the pinned definition if the tool changed; otherwise null. */
  pinned: string | null;
  /** The definition as the model would read it, for the person who decides. */
  definition: unknown;
  suspicious: SuspiciousText[];
}

/** The report of `accept`. */
export interface GuardReport {
  /** The names that the model sees. */
  registered: string[];
  /** The definitions that were not accepted: they no longer wait, or the catalog refused them and they still wait. */
  refused: { server: string; name: string; message: string }[];
}

/** The return value of `guard()` of `toolsift/guard`. */
export interface Guard {
  /** Returns the pins of shared tools. Store them and pass them to `guard({ pins })` in the next process. */
  pins(): ToolPin[];
  /** Returns the tools that wait for your program's decision, in the order of their quarantine. */
  quarantined(): QuarantinedTool[];
  /**
   * Accepts quarantined definitions as they were shown: pins and registers them. A definition that has changed again since
   * then is not accepted. Accepted additions to a registered tool are shown to the model after the next `sync`.
   *
   * @param tools entries of `quarantined()`, or of `news` of a report; server, name and hash are enough
   * @throws ToolSiftError `option_invalid`
   */
  accept(tools: readonly ToolPin[]): GuardReport;
  /**
   * Forgets the pins of a server's shared tools. The server's next definitions are pinned as if it were new.
   *
   * @returns the number of pins that were forgotten
   * @throws ToolSiftError `option_invalid`
   */
  forget(server: string): number;
}
