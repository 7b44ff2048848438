import type { ComponentChildren } from "preact";

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*\b/g;

/** JSON with its keys and values told apart. The text itself is shown as it is, whether or not it is JSON. */
export function JsonView({ text, label }: { text: string; label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {looksLikeJson(text) ? coloured(text) : text}
    </pre>
  );
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function coloured(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match;
    parts.push(text.slice(at, match.index));
    const kind = string === undefined ? "literal" : colon === undefined ? "string" : "key";
    parts.push(<span class={`json-${kind}`}>{string ?? whole}</span>, colon ?? "");
    at = match.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}
