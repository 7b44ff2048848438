import type { HitPart, SearchedField } from "toolsift";
import { marked } from "../../model/marks.ts";

/** A text in which what a search matched is marked. */
export function Marked({ text, parts, field }: { text: string; parts: readonly HitPart[]; field: SearchedField }) {
  return (
    <>
      {marked(text, parts, field).map((piece, at) =>
        piece.kind === null ? (
          piece.text
        ) : (
          <mark key={at} class={`mark-${piece.kind}`}>
            {piece.text}
          </mark>
        ),
      )}
    </>
  );
}
