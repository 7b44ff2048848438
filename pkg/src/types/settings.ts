/** The settings: which tools are deferred and when, how the model sees deferred tools, how tools are loaded, and limits. */

/** The names of the profiles. `ToolSift.profiles()` describes each of them. */
export type ProfileName = "sift" | "search-add" | "select" | "select-load" | "stub" | "bridge";

/** The condition under which tools are deferred. */
export type Activation =
  | "on"
  | "off"
  /** On if the deferrable definitions take at least 4,000 tokens (fewer are cheaper to send). Else as `{ tokens }`. */
  | "auto"
  /** On if the model would be sent at least this number of tools, discovery tools included. */
  | { tools: number }
  /**
   * On if the deferrable definitions take at least this number of tokens. A session that has loaded a tool stays active when
   * the catalog becomes smaller, so that the prompt cache keeps the conversation.
   */
  | { tokens: number }
  /**
   * On if the deferrable definitions take at least this share (0 to 1) of `contextWindow`. Without `contextWindow`, the
   * limit is 20,000 tokens.
   */
  | { contextShare: number };

/** The rule for tools without a `deferral` of their own: none of them is deferred (`opt-in`), or all are. */
export type Consent = "opt-in" | "opt-out";

/** The way in which the model sees a deferred tool. */
export type Disclosure =
  /** The model does not see it. */
  | "hidden"
  /** The prompt has the servers with deferred tools, each with the number of these tools. */
  | "servers"
  /** The prompt has its name. */
  | "names"
  /** As `names` while all names take at most 2,000 tokens; else as `servers`. */
  | "auto"
  /** The prompt has its name and the first sentence of its description. */
  | "sentences"
  /** The prompt has its name and the first 120 bytes of its description. */
  | "descriptions"
  /** The tool list has its name and description, without the parameters. */
  | "stubs"
  /** The tool list has its name and the first sentence of its description, without the parameters. */
  | "short-stubs"
  /** The tool list has the full definition: search is only advice. */
  | "full";

/** The condition under which a stub replaces a definition: if the stub is smaller, or always. */
export type StubWhen = "smaller" | "always";

/** The way in which a tool is loaded: by name with an add tool, by the search that finds it, or never. */
export type Reveal = "add" | "search" | "never";

/** The answer to a call of a deferred tool that is not loaded. */
export type UnrevealedCall =
  /** Refuse the call, and explain how to load the tool. */
  | "refuse"
  /** Refuse the call, put the schema into the message, and load the tool, so that the next call is right. */
  | "refuse-with-schema"
  /** Load the tool and run the call. */
  | "run"
  /** Run the call without loading the tool. */
  | "allow";

/** The answer to a call of a tool that exists outside the session's scope. */
export type OutOfScope =
  /** The answer that a tool that does not exist gets (`tool_unknown`, and `not_deferrable` under `bridge`). */
  | "conceal"
  /** The answer that the tool is not available in this session (`tool_out_of_scope`, and separate codes under `bridge`). */
  | "tell";

/**
 * The behaviour of the tool list while the model finds tools. `growing`: loaded tools are added at its end. `constant`: it
 * never changes; searches answer with parameters, and calls go through one tool for each effect.
 */
export type Surface = "growing" | "constant";

/** The maximum that one search of the model may load, if searches load tools. The best hit is always loaded. */
export interface Budget {
  /** The maximum number of tools; 0 loads none. */
  tools?: number | undefined;
  /** The maximum number of tokens of their definitions, as characters / 4. */
  tokens?: number | undefined;
}

/** The behaviour when a session's limit of loaded tools is reached. */
export type WhenFull =
  /** Nothing more is loaded: `revealed_full`. */
  | "refuse"
  /**
   * The least recently used tools are deferred again, as many as needed. Tools that were loaded or called since the last
   * request stay. Every eviction makes the prompt cache useless from the evicted tool on.
   */
  | "evict";
