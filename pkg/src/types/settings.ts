/** The settings: what is deferred and when, what the model sees of it, what loads it, and how much at once. */

/** The named rows of settings. `ToolSift.profiles()` describes each of them. */
export type ProfileName = "sift" | "search-add" | "select" | "select-load" | "stub" | "bridge";

/** When tools are deferred. */
export type Activation =
  | "on"
  | "off"
  /** On from the number of tokens below which it is cheaper to send all definitions: 4,000. Otherwise as `{ tokens }`. */
  | "auto"
  /** On when the model would be sent at least this number of tools, discovery tools included. */
  | { tools: number }
  /**
   * On when the deferrable definitions take at least this number of tokens. A session that has revealed a tool stays active
   * when the catalog becomes smaller, so that the prompt cache keeps the conversation.
   */
  | { tokens: number }
  /**
   * On when the deferrable definitions take at least this share (0 to 1) of `contextWindow`; where that is not said, from
   * 20,000 tokens on.
   */
  | { contextShare: number };

/** Which tools are deferred that say nothing themselves: none (only those that ask for it), or all. */
export type Consent = "opt-in" | "opt-out";

/** What the model sees of a deferred tool. */
export type Disclosure =
  /** Nothing. */
  | "hidden"
  /** The servers that have deferred tools, and how many each, in the prompt. */
  | "servers"
  /** Its name, in the prompt. */
  | "names"
  /** Its name, in the prompt, while all names take at most 2,000 tokens; otherwise its server, with the names that tell most. */
  | "auto"
  /** Its name and the first sentence of its description, in the prompt. */
  | "sentences"
  /** Its name and the first 120 bytes of its description, in the prompt. */
  | "descriptions"
  /** Its name and description in the tool list, with the parameters left out. */
  | "stubs"
  /** Its name and the first sentence of its description in the tool list, with the parameters left out. */
  | "short-stubs"
  /** Everything: search is only advice. */
  | "full";

/** When a stub takes the place of a tool's parameters: where it is smaller, or always. */
export type StubWhen = "smaller" | "always";

/** What loads a tool: adding it by name, the search that finds it, or nothing. */
export type Reveal = "add" | "search" | "never";

/** What happens when the model calls a deferred tool that it has not loaded. */
export type UnrevealedCall =
  /** Refuse, and say how to get to it. */
  | "refuse"
  /** Refuse, hand the schema back in the message, and reveal the tool, so that the next attempt is right. */
  | "refuse-with-schema"
  /** Reveal the tool and run the call. */
  | "run"
  /** Run the call, and reveal nothing. */
  | "allow";

/** What the model learns when it calls a tool that exists and that its session may not see. */
export type OutOfScope =
  /** What it learns of a tool that does not exist (`tool_unknown`, and `not_deferrable` under `bridge`). */
  | "conceal"
  /** That the tool is not available in this session (`tool_out_of_scope`, and codes of their own under `bridge`). */
  | "tell";

/**
 * What the tool list does as the model finds tools: what was found stands behind the others; or it never changes, searches
 * answer with parameters, and calls go through one tool for each effect.
 */
export type Surface = "growing" | "constant";

/** How much one search of the model may load, where searches load tools. The best hit is loaded whatever it takes. */
export interface Budget {
  /** Tools; 0 loads none. */
  tools?: number | undefined;
  /** Tokens of their definitions, at four characters each. */
  tokens?: number | undefined;
}

/** What happens when a session holds as much as it may. */
export type WhenFull =
  /** Nothing more is loaded: `revealed_full`. */
  | "refuse"
  /**
   * What was used the longest ago is deferred again, as far as it is in the way. Whatever was loaded or called since the
   * last request stays. Every eviction costs the prompt cache from the evicted tool on.
   */
  | "evict";
