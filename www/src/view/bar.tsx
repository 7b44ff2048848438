import { useLayoutEffect, useState } from "preact/hooks";
import { ThemeToggle } from "./theme-toggle.tsx";

declare const __LINKS__: { source: string; docs: string };

export function Bar() {
  const [docs, setDocs] = useState(__LINKS__.docs);
  // If the site has the page next to its documents, a link in the page's head has their address.
  useLayoutEffect(() => {
    const help = document.querySelector<HTMLLinkElement>("link[rel=help]");
    if (help) setDocs(help.href);
  }, []);
  return (
    <header class="bar">
      <a class="mark" href="./" aria-label="toolsift, the playground">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path class="sand" d="M1 1h5v5H1zM7.5 1h5v5h-5zM14 1h5v5h-5zM1 7.5h5v5H1zM14 7.5h5v5h-5z" />
          <path class="gold" d="M7.5 7.5h5v5h-5zM7.5 14h5v5h-5z" />
        </svg>
        <span>toolsift</span>
      </a>
      <p class="tagline">tool search for AI agents</p>
      <nav aria-label="About toolsift">
        <a href={docs}>Docs</a>
        <a href={__LINKS__.source}>Source</a>
        <ThemeToggle />
      </nav>
    </header>
  );
}
