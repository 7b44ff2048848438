/** Removes links to files that are not packed from the packed documents: the link's text stays, and pictures are removed. */

import { posix } from "node:path";

/** Matches a code block (in which nothing is a link), or a link or picture with its text and its path. */
const CODE_OR_LINK = /^(```)[^]*?^```|!?\[([^\]\n]*)\]\(([^)\s#]+)(?:#[^)\s]*)?\)/gm;

/**
 * Returns the text of a page with links to files that are not packed replaced by their text. Such pictures are removed.
 *
 * @param page the path of the page in the package
 * @param packed the paths of all packed files, as a set
 */
export function linkedWithin(text, page, packed) {
  return text.replace(CODE_OR_LINK, (whole, fence, label, path) => {
    if (fence !== undefined || /^[a-z]+:/.test(path)) return whole;
    if (packed.has(posix.join(posix.dirname(page), path))) return whole;
    return whole.startsWith("!") ? "" : label;
  });
}
