import type { Lab } from "../model/lab.ts";

/** The conversations over this catalog: what one of them reveals, the others do not have. */
export function Sessions({ lab }: { lab: Lab }) {
  return (
    <div class="sessions" role="group" aria-label="Sessions">
      {lab.conversations.map((conversation) => {
        const revealed = conversation.revealed.length;
        return (
          <button
            key={conversation.id}
            type="button"
            class="tab"
            aria-pressed={conversation === lab.current}
            onClick={() => lab.select(conversation)}
          >
            Session {conversation.id}
            <span class="tab-note">
              {revealed}
              <span class="visually-hidden"> revealed</span>
            </span>
          </button>
        );
      })}
      <button type="button" class="button small" onClick={() => lab.openConversation()}>
        New session
      </button>
      {lab.conversations.length > 1 && (
        <button type="button" class="button small plain" onClick={() => lab.closeConversation(lab.current)}>
          Close {lab.current.id}
        </button>
      )}
    </div>
  );
}
