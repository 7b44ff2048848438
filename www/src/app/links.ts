/** The links of the page to what is about it. The build puts in where they lead. */
export interface Links {
  repository: string | null;
  docs: string | null;
  package: string;
}

declare const __LINKS__: Links;

export const LINKS: Links = __LINKS__;
