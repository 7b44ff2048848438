import { parse } from "sugar-high/core";

/** The words that programs on this page have. */
const KEYWORDS = new Set(["as", "await", "const", "export", "from", "import", "new", "type"]);

/** Code with its parts in colour. The text itself is shown as it is. */
export function CodeView({
  text,
  label,
  language,
}: {
  text: string;
  label: string;
  language: "ts" | "json" | "toml" | "text";
}) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label} data-language={language}>
      <code>{language === "text" ? text : <Coloured text={text} language={language} />}</code>
    </pre>
  );
}

function Coloured({ text, language }: { text: string; language: "ts" | "json" | "toml" }) {
  const typescript = language === "ts";
  const keywords = typescript ? KEYWORDS : new Set<string>();
  const { lines } = parse(text, {
    keywords,
    typescript,
    jsx: false,
    quotedKeys: language === "json",
    onCommentStart: (curr, next) => typescript && curr === "/" && next === "/",
    onCommentEnd: (_, curr) => curr === "\n",
  });
  return (
    <>
      {lines.map(({ index, tokens }) => (
        <>
          {index > 0 && "\n"}
          {tokens.map(({ type, value }, at) =>
            value === "" ? null : (
              <span key={at} class={`sh-${type}`}>
                {value}
              </span>
            ),
          )}
        </>
      ))}
    </>
  );
}
