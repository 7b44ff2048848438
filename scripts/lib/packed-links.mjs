/** Removes links to files that are not packed from the packed documents: the link's text stays, and pictures are removed. */

import { posix } from "node:path";

/** Code, which holds no links, or a link or picture: its text, its path, and its place on the page. */
const CODE_OR_LINK = /^(```)[^]*?^```|!?\[([^\]\n]*)\]\(([^)\s#]+)(?:#[^)\s]*)?\)/gm;

/**
 * The text of a page in which links to files that are not packed are plain text, and pictures are left out.
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
