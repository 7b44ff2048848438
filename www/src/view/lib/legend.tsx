import { LOOKS, type Look } from "../../model/parts.ts";

/** What each look of a block means. */
export function Legend({ looks }: { looks: readonly Look[] }) {
  return (
    <ul class="legend">
      {[...new Set(looks)].map((look) => (
        <li key={look} class={look} title={LOOKS[look].meaning}>
          {LOOKS[look].label}
        </li>
      ))}
    </ul>
  );
}
