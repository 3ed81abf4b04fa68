import { DEFAULT_SETTINGS, type Settings } from '@meshwork/contract';
import type { Stored, View } from './model.ts';

/** The id of the one settings document. */
export const SETTINGS_ID = 'mesh';

const atDefaults: Stored<'settings'> = { id: SETTINGS_ID, revision: 0, body: DEFAULT_SETTINGS };
const completed = new WeakMap<Settings, Settings>();

export function storedSettings(view: View): Stored<'settings'> {
  const stored = view.get('settings', SETTINGS_ID);
  return stored === undefined ? atDefaults : { ...stored, body: complete(stored.body) };
}

export function settingsOf(view: View): Settings {
  const stored = view.get('settings', SETTINGS_ID);
  return stored === undefined ? DEFAULT_SETTINGS : complete(stored.body);
}

/** Settings written by an older version lack what came later; the defaults fill in. */
function complete(stored: Settings): Settings {
  let whole = completed.get(stored);
  if (whole === undefined) {
    whole = withSections(DEFAULT_SETTINGS, stored);
    completed.set(stored, whole);
  }
  return whole;
}

/** Settings with what a patch says, by section. */
export function withSections(
  settings: Settings,
  patch: { readonly [S in keyof Settings]?: Partial<Settings[S]> },
): Settings {
  const sections = Object.entries(settings).map(([name, section]) => [
    name,
    { ...section, ...patch[name as keyof Settings] },
  ]);
  return Object.fromEntries(sections) as Settings;
}
