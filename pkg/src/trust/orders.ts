/**
 * Finds text in a definition that gives orders to the model instead of describing the tool. It knows the forms of published
 * attacks, in English. Guidance such as "Use this tool when …" or "Call list_files first" is ordinary.
 */

import { withoutHidden } from "./hidden.js";

/** A form of attack: all expressions match within one sentence. None of them has two gaps, so each takes linear time. */
interface Form {
  detail: string;
  all: RegExp[];
}

/** Joins alternatives into one expression, so that each alternative can be written on its own line. */
const anyOf = (...alternatives: string[]): RegExp => new RegExp(alternatives.join("|"));

const USER = "(?:the |your |our )?(?:end[- ])?(?:users?|humans?)\\b(?!')";
const HIDDEN = "an order to hide something from the user";
const OTHERS = "an order about other tools";

const FORMS: Form[] = [
  {
    detail: "a tag that pretends to come from the system",
    all: [
      anyOf(
        "<\\/?(?:important|system|hidden|critical|system[-_ ]?(?:prompt|message|instructions?|note))>",
        "<\\/(?:secret|admin|override)>",
        "<\\/?(?:hidden|secret|important|critical)[-_ ](?:instructions?|rules?|notes?)>",
        "<\\|(?:im_start|im_end|system|assistant)\\|>|<<sys>>|\\[\\/?(?:inst|system)\\]",
      ),
    ],
  },
  {
    detail: "an order to ignore other instructions",
    all: [
      anyOf(
        "\\b(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following) " +
          "(?:(?:all|any|every|of|the|your|my) ){0,3}" +
          "(?:(?:previous|prior|earlier|above|preceding|original|developer|safety|other|your) (?:and \\w+ )?(?:\\w+ )?)" +
          "(?:instructions?|prompts?|guidelines|directives)\\b",
        "\\b(?:ignore|disregard|forget) (?:(?:all|any|of|the|your) ){0,3}" +
          "(?:system (?:prompt|message|instructions?)|(?:previous|prior|earlier) rules)\\b",
        "\\b(?:ignore|disregard|forget) (?:all )?(?:of )?your (?:instructions|guidelines|rules|training|safety \\w+)\\b",
        "\\b(?:ignore|disregard|forget) (?:all|everything)(?: of)? (?:the )?(?:above|previous|before this|you were told)",
      ),
    ],
  },
  {
    detail: HIDDEN,
    all: [
      anyOf(
        "\\b(?:do not|don't|never|without|must not|should not|shouldn't|no need to) (?:ever )?" +
          "(?:tell|inform|telling|informing|mention|mentioning|reveal|revealing|disclose|disclosing|letting|let)" +
          `(?: (?:this|that|it|any of this|anything|these \\w+|this \\w+))?(?: to)? ${USER}`,
        "\\b(?:do not|don't|never|without) (?:notify|notifying|alert|alerting|warn|warning) " +
          `${USER} (?:about|of) (?:this|these|it)\\b`,
        "\\b(?:hide|conceal|keep) (?:this|these|your|the)" +
          "(?: (?:instructions?|facts?|steps?|actions?|behaviou?rs?|notes?|tool calls?))?" +
          `(?: (?:a )?secret| hidden)? from ${USER}`,
        `\\b${USER} (?:must|should|need|needs|does|do)(?: not|n't) (?:need to )?(?:ever )?` +
          "(?:know|notice|be told|be informed|be aware)\\b",
        "\\b(?:do not|don't|never) mention (?:this|these|any of these|any of this) " +
          "(?:instructions?|notes?|steps?|messages?|side ?effects?|prompts?|directives?|transfers?|tool calls?)\\b",
        "\\b(?:secretly|covertly|surreptitiously) " +
          "(?:call|send|read|copy|forward|append|include|upload|pass|post|add|run|execute|use)\\b",
        "\\bsilently (?:read|copy|include|upload|transmit|forward|exfiltrate|also)\\b",
      ),
    ],
  },
  {
    detail: OTHERS,
    all: [
      anyOf(
        "\\b(?:before|prior to|instead of)(?: (?:using|calling|invoking|running|executing|you (?:use|call|invoke)))?" +
          " (?:any|all|every) other (?:mcp )?tools?\\b(?! (?:that|which|in this|of this|from this))",
        "\\b(?:when|whenever|if|while|as long as) this (?:tool|server) is " +
          "(?:available|present|installed|loaded|connected)\\b",
        "\\b(?:when|whenever|if|each time|every time|any time) (?:another|any other|a different|any) (?:mcp )?" +
          "(?:tool|server) (?:is|gets) (?:called|invoked|used|run|executed)\\b",
        "\\b(?:do not|don't|never|must not) (?:ever )?(?:use|call|invoke|trust) (?:any |the )?(?:other|another) (?:mcp )?" +
          "(?:tools?|servers?)\\b(?! (?:for|until|to|in this|of this|unless|before|that|which))",
        "\\bignore (?:all |any |every )?(?:the )?other (?:mcp )?(?:tools?|servers?)\\b",
      ),
    ],
  },
  {
    detail: "an order that changes what another tool is called with",
    all: [
      anyOf(
        "\\b(?:change|replace|redirect|rewrite|swap|switch|alter)(?: the| its| every| any| all)? " +
          "(?:recipients?|payees?|destination|to address)\\b[^.!?]{0,20}\\b(?:to|with|by) [^ ]*[@+\\d]",
        "\\b(?:always|must|also) (?:be )?bcc(?:'?d)? (?:to )?[^ ]+@",
        "\\b(?:all|every|each) (?:e-?mails?|messages?|payments?) (?:must|should|have to|has to) (?:only )?" +
          "be (?:sent|forwarded|copied|bcc'?d) to\\b",
        "\\b(?:tool|function) \\S+ must (?:only |always |also )(?:send|call|use|forward|write|pay)\\b",
      ),
    ],
  },
  {
    detail: "an order to read a file of secrets and pass it on",
    all: [
      /\b(?:read|cat|open|print|access|contents? (?:of|from))\b/,
      anyOf(
        "[\\\\/]\\.(?:ssh|aws|cursor|netrc|npmrc|gnupg|claude|git-credentials|bash_history)\\b(?!\\S*\\.pub\\b)",
        "\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|\\/etc\\/(?:shadow|passwd)\\b",
        "\\bmcp\\.json\\b|\\bclaude_desktop_config\\.json\\b",
      ),
      /\b(?:pass|send|include|provide|append|put|supply|upload|forward|transmit|submit|attach|its contents?|sidenote)\b/,
    ],
  },
  {
    detail: "an order to pass on secrets or the conversation",
    all: [
      /\b(?:pass|send|include|provide|append|insert|forward|transmit|submit|attach|upload|exfiltrate|leak|paste)\b/,
      anyOf(
        "\\byour (?:(?:full|entire|complete|exact) )?" +
          "(?:system (?:prompt|message|instructions)|(?:initial|hidden) instructions)\\b",
        "\\b(?:full|entire|complete|whole|verbatim) (?:conversation|chat) (?:history|log|transcript|so far)\\b",
        "\\b(?:all|any) (?:api keys?|credentials|passwords|secrets|access tokens|private keys) (?:that )?" +
          "(?:you (?:know|have|find|can|see)|(?:in|from) (?:your|the) (?:context|conversation|environment|memory))\\b",
        "\\bcontents? of (?:your|the user's|all) " +
          "(?:environment variables|memory|context|private keys?|ssh keys?|credentials)\\b",
      ),
    ],
  },
  {
    detail: "an order about who the model is",
    all: [
      anyOf(
        "\\byou are (?:now|no longer) (?:an? |the |acting |bound |restricted )|\\bfrom now on,? you\\b",
        "\\bas an? (?:ai|llm|large language model|language model|ai assistant|ai agent),? " +
          "you (?:must|have to|need to|will)\\b",
        "\\b(?:developer|dan|god|jailbreak|unrestricted) mode (?:is )?(?:now )?(?:enabled|activated)\\b",
        "\\bnew (?:system )?(?:instructions|directives?)(?: for (?:you|the (?:model|assistant|ai|agent)))?:",
      ),
    ],
  },
];

/** The length of the pieces of a longer sentence, in characters, so that distant words are not read together. */
const PIECE = 600;
/** The maximum length of text that is read, in characters. A longer text is reported for its length. */
const READ = 2_000_000;
const ENDS = /[.!?](?=["')\]]?\s)|\n\s*(?:\n|(?=[-*•] |\d+[.)] ))/;

/** Returns the forms of attack in a text, each once, with the words that match. */
export function ordersIn(text: string): { detail: string; words: string }[] {
  // Normalisation replaces some characters by many letters, so the length is limited again.
  const letters = withoutHidden(text.slice(0, READ)).normalize("NFKC");
  const plain = letters
    .slice(0, READ)
    .replace(/[\u2018\u2019]/g, "'")
    .toLowerCase();
  // Most texts contain no words of a form. Only forms that match somewhere in the text are tried sentence by sentence.
  const line = onOneLine(plain);
  const likely = FORMS.filter(({ all }) => all.every((one) => one.test(line)));
  const found = new Map<string, string>();
  if (likely.length > 0) {
    for (const sentence of plain.split(ENDS)) {
      for (let at = 0; at < sentence.length; at += PIECE) {
        // Pieces overlap, so that an order at the border of two pieces is found.
        const piece = onOneLine(sentence.slice(Math.max(0, at - 100), at + PIECE));
        for (const { detail, all } of likely) {
          if (!found.has(detail) && all.every((one) => one.test(piece))) found.set(detail, around(piece, all.at(-1)!));
        }
      }
    }
  }
  const orders = [...found].map(([detail, words]) => ({ detail, words }));
  if (text.length > READ || letters.length > READ) {
    orders.push({ detail: `a text of more than ${READ} characters, which is not read to its end`, words: "" });
  }
  return orders;
}

/** Replaces each run of white space by a blank. */
const onOneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, " ");

/** Returns the words around a match. */
function around(text: string, pattern: RegExp): string {
  const match = pattern.exec(text)!;
  return text.slice(Math.max(0, match.index - 40), match.index + match[0].length + 40).trim();
}
