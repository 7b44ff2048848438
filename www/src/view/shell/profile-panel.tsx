import type { ProfileName } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { defaultSettings, modelOf } from "../../model/settings.ts";
import { condition, wouldAct } from "../../model/waiting.ts";
import { SettingsForm } from "../settings/settings-form.tsx";

/** Which of the profiles is at work, what the page has changed so that it is, and every setting. */
export function ProfilePanel() {
  const store = useStore();
  const { profiles, settings, inForce } = store.snapshot;
  const choose = (name: ProfileName) =>
    void store.run((engine) => engine.chooseProfile(name), { settings: defaultSettings(profiles, name, inForce) });
  return (
    <div class="profile-panel">
      <fieldset class="profile-choices">
        <legend>Profile</legend>
        <p class="hint">One way of tool search: what the model sees, how it searches, and what a search reveals.</p>
        {profiles.all.map((row) => (
          <label key={row.name} class="profile-choice">
            <input type="radio" name="profile" checked={row.name === settings.profile} onChange={() => choose(row.name)} />
            <span class="mono">{row.name}</span>
            <span class="quiet">
              {row.name === profiles.byDefault ? `${modelOf(row, profiles)}, the default` : `modelled on ${row.after}`}
            </span>
            <span class="profile-text">{row.summary}</span>
          </label>
        ))}
      </fieldset>
      <ProfileNotice />
      <SettingsForm />
    </div>
  );
}

/** What makes a profile defer tools here though it would wait by itself, or the other way round; and the way to change it. */
export function ProfileNotice() {
  const store = useStore();
  const { profile, inForce, rules, current } = store.snapshot;
  const byItself = inForce.activation === "profile" && inForce.deferral === "";
  const waits = condition(profile, inForce.contextWindow);
  const forcedOn = inForce.activation === "on" && waits !== null;
  const forcedOut = profile.deferral === "opt-in" && rules.deferral === "opt-out";
  const needed = !wouldAct(profile, current, inForce.contextWindow);
  const leave = (alone: boolean) => () => void store.run((engine) => engine.leaveToItself(alone));
  if (needed && (forcedOn || forcedOut)) {
    return (
      <p class="profile-notice">
        <span>
          {forcedOut && "By itself this profile defers only tools that ask for it, and sends all others. "}
          {forcedOn && `By itself it waits until ${waits}. `}
          To show it at work, this page sets{" "}
          <code>{[forcedOut && 'deferral: "opt-out"', forcedOn && 'activation: "on"'].filter(Boolean).join(", ")}</code>.
        </span>
        <button type="button" class="button small" onClick={leave(true)}>
          See it by itself
        </button>
      </p>
    );
  }
  if (byItself && !current.active) {
    return (
      <p class="profile-notice">
        <span>
          Nothing is deferred:{" "}
          {profile.deferral === "opt-in" ? "it waits for tools that ask for it" : `it waits until ${waits}`}.
        </span>
        <button type="button" class="button small" onClick={leave(false)}>
          Show it at work
        </button>
      </p>
    );
  }
  return null;
}
