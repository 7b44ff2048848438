/** The links of the page to what is about it. The build puts in where they lead. */
export interface Links {
  repository: string | null;
  package: string;
}

declare const __LINKS__: Links;

export const LINKS: Links = __LINKS__;

/**
 * Where the documents are: beside the page where the site has put it, and says so in its head; undefined where it stands alone, and
 * where the overview is painted by the build.
 */
export const documentsLink = (): string | undefined =>
  globalThis.document?.querySelector<HTMLLinkElement>("link[rel=help]")?.href;
