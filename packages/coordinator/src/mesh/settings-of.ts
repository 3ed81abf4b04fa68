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
    whole = {
      tokens: { ...DEFAULT_SETTINGS.tokens, ...stored.tokens },
      api: { ...DEFAULT_SETTINGS.api, ...stored.api },
      audit: { ...DEFAULT_SETTINGS.audit, ...stored.audit },
      nodes: { ...DEFAULT_SETTINGS.nodes, ...stored.nodes },
      operations: { ...DEFAULT_SETTINGS.operations, ...stored.operations },
      relays: { ...DEFAULT_SETTINGS.relays, ...stored.relays },
      events: { ...DEFAULT_SETTINGS.events, ...stored.events },
    };
    completed.set(stored, whole);
  }
  return whole;
}
