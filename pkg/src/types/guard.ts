/** Guarding the catalog: which definitions were seen, which texts are suspicious, and what is quarantined. */

/** One definition of a tool. */
export interface ToolPin {
  server: string;
  /** The name under which the server lists it. */
  name: string;
  /** SHA-256 of what a model reads of it and a client decides by, 64 hexadecimal digits. */
  hash: string;
  /** What is pinned, and when it was read. Without them, only a definition with this hash is the pinned one. */
  definition?: unknown;
  seen?: string;
}

/** What a person should know of a tool that is used: it is told, and not quarantined. */
export interface ToolNews {
  server: string;
  name: string;
  hash: string;
  /**
   * The places of what was added since the tool was pinned, such as `inputSchema.properties.limit`: the model does not see it until
   * the host accepts it. Empty for a tool that is new on a server of which others are pinned.
   */
  added: string[];
}

/** Something in a definition that a person should look at. It asks for judgement: there are honest reasons for most. */
export interface SuspiciousText {
  /** Null for a tool of the host's own. */
  server: string | null;
  name: string;
  /**
   * `hidden-text`: Unicode that is not shown. `control`: control characters or unpaired surrogates. `addresses-model`: an
   * order to the model. `look-alike`: a word with letters of another script that look like its own, or a name that
   * looks like one of another server that was known before it.
   */
  kind: "hidden-text" | "addresses-model" | "look-alike" | "control";
  where: "name" | "title" | "description" | "text" | "parameters" | "output" | "annotations" | "keywords";
  /** What was found, in one line without hidden characters. */
  detail: string;
}

/** A tool that is neither found nor listed nor called until the host accepts it. */
export interface QuarantinedTool extends ToolPin {
  /**
   * `changed`: its definition is another than the pinned one. `suspicious`: a text of it is. `limit`: no more definitions can
   * be pinned.
   */
  reason: "changed" | "suspicious" | "limit";
  /** The reason in a sentence. */
  message: string;
  /** The hash of the pinned definition, for a tool that changed. */
  pinned: string | null;
  /** The definition as the model would read it, for the person who decides. */
  definition: unknown;
  suspicious: SuspiciousText[];
}

/** What `accept` did. */
export interface GuardReport {
  /** The names that the model sees. */
  registered: string[];
  /** What was not accepted: it does not wait (any more), or the catalog refused it, so that it still waits. */
  refused: { server: string; name: string; message: string }[];
}

/** What `guard()` of `toolsift/guard` returns. */
export interface Guard {
  /** The pins of shared tools, to be kept and given to `guard({ pins })` of the next process. */
  pins(): ToolPin[];
  /** What waits for the host, in the order in which it was quarantined. */
  quarantined(): QuarantinedTool[];
  /**
   * Accepts definitions that wait, as they were shown: they are pinned and registered. One that has changed again in between
   * is not accepted. What was added to a tool that is used is shown from the next `sync` on.
   *
   * @param tools from `quarantined()`, or from `news` of a report; server, name and hash are enough
   * @throws ToolSiftError `option_invalid`
   */
  accept(tools: readonly ToolPin[]): GuardReport;
  /**
   * Forgets the pins of a server's shared tools, whose next definitions are then the first ones.
   *
   * @returns how many pins were forgotten
   * @throws ToolSiftError `option_invalid`
   */
  forget(server: string): number;
}
