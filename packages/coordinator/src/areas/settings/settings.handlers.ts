/** The settings of the mesh: one document, changed by merge patch. */
import { invalid, type Settings, type SettingsPatch } from '@meshwork/contract';
import { permissionsOfRole } from '../../access/rights.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { SETTINGS_ID, storedSettings } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { AreaHandlers } from '../handler.ts';
import { ensureMatches } from '../versions.ts';

export function settingsHandlers(mesh: Mesh): AreaHandlers<'settings'> {
  return {
    'settings.show': () => {
      const { body, revision } = storedSettings(mesh.model);
      return { body, revision };
    },
    'settings.update': (call) =>
      call.transact((tx) => {
        const old = storedSettings(tx);
        ensureMatches(old, call.if_match);
        const settings = patched(old.body, call.body);
        ensureRolesExist(tx, settings);
        const stored = tx.put('settings', SETTINGS_ID, settings);
        tx.record({ target: { kind: 'settings', id: SETTINGS_ID } });
        return { body: stored.body, revision: stored.revision };
      }),
  };
}

function patched(old: Settings, patch: SettingsPatch): Settings {
  const { surface_roles, ...tokens } = patch.tokens ?? {};
  const roles = Object.entries({ ...old.tokens.surface_roles, ...surface_roles });
  return {
    tokens: {
      ...old.tokens,
      ...tokens,
      surface_roles: Object.fromEntries(roles.filter((entry): entry is [string, string] => entry[1] !== null)),
    },
    api: { ...old.api, ...patch.api },
    audit: { ...old.audit, ...patch.audit },
  };
}

function ensureRolesExist(tx: Transaction, settings: Settings): void {
  for (const [surface, role] of Object.entries(settings.tokens.surface_roles)) {
    if (permissionsOfRole(tx, role) === undefined) {
      throw invalid(`/tokens/surface_roles/${surface}`, `"${role}" is not a role`);
    }
  }
}
