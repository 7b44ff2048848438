/** Splits a command as a shell does, without running one: nothing in it is expanded. */

import { misuse } from "../failure.js";
import { quoted } from "../output/escape.js";

const WORD = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/sy;

/**
 * The words of a command. Quotes and backslashes keep spaces together.
 *
 * @throws Failure for quotes that are not closed, and for no words at all
 */
export function wordsOf(command: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (command.slice(at).trim() !== "") {
    WORD.lastIndex = at;
    const found = WORD.exec(command);
    if (found === null) throw misuse(`the command ${quoted(command)} has a quote that is not closed`);
    words.push(unquoted(found[1]!));
    at = WORD.lastIndex;
  }
  if (words.length === 0) throw misuse("--server needs a command or a URL, such as --server 'npx -y @scope/server'");
  return words;
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, "$1");
  });
}
