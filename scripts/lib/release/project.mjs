/**
 * Where the project lives. A maintainer fills this in once; `npm run release -- --metadata` writes it into the packages, and
 * until it is filled in nothing can be published.
 */

import { Problem } from "../run.mjs";

export const PROJECT = {
  /** The repository on GitHub: its releases are built there, and npm's provenance names it. `https://github.com/OWNER/NAME` */
  repository: null,
  /** The page of the project; null for the README of the repository. */
  homepage: null,
  /** Where bugs are reported; null for the issues of the repository. */
  bugs: null,
};

const REPOSITORY = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/;

/** The addresses of a project, or undefined while its repository is not filled in. */
export function addressesOf({ repository, homepage, bugs }) {
  if (repository === null) return undefined;
  if (!REPOSITORY.test(repository)) {
    throw new Problem(
      `repository is ${JSON.stringify(repository)}; https://github.com/OWNER/NAME is wanted (scripts/lib/release/project.mjs)`,
    );
  }
  return { repository, homepage: homepage ?? `${repository}#readme`, bugs: bugs ?? `${repository}/issues` };
}
