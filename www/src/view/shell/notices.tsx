import { useStore } from "../../app/use-store.ts";

/** What the page has to tell above the view: values of the address that it refused, and the like. */
export function Notices() {
  const store = useStore();
  // What the sheet for own tools tells is not told twice.
  const notices = store.bringing ? store.notices.filter(({ kind }) => kind !== "problem") : store.notices;
  if (notices.length === 0) return null;
  return (
    <div role="alert">
      <ul class="notices">
        {notices.map((notice, index) => (
          <li key={index} class={`notice-line ${notice.kind}`}>
            <span>
              {notice.kind === "refused" && <b>Left out of the address: </b>}
              {notice.kind === "lacks" && <b>Not in the link: </b>}
              {notice.text}
            </span>
            <button type="button" class="button small plain" onClick={() => store.dismiss(notice)}>
              Dismiss<span class="visually-hidden"> {notice.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
