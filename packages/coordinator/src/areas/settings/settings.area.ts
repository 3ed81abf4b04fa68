/** The settings of the mesh: one document, changed by merge patch. */
import { isDeepStrictEqual } from 'node:util';
import { invalid, type Settings, type SettingsPatch, WHOLE_MESH } from '@meshwork/contract';
import { ensureHolds, permissionsOfRole } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { SETTINGS_ID, storedSettings, withSections } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { ensureOffRoutes } from './off-routes.ts';
import { ensureSound } from './sound-settings.ts';

/** Surfaces that the table may name. */
const MAX_SURFACES = 200;

export const settings: Area<'settings'> = {
  open: () => ({ serve: ({ mesh }) => ({ handlers: handlersOf(mesh) }) }),
};

function handlersOf(mesh: Mesh): AreaHandlers<'settings'> {
  return {
    'settings.show': () => {
      const { body, revision } = storedSettings(mesh.model);
      return { body, revision };
    },
    'settings.update': (call) =>
      call.transact((tx, actor) => {
        const old = storedSettings(tx);
        ensureMatches(old, call.if_match);
        const settings = patched(old.body, call.body);
        if (isDeepStrictEqual(settings, old.body)) return { body: old.body, revision: old.revision };
        ensureMayGive(tx, actor, call.body.tokens?.surface_roles ?? {});
        if (Object.keys(settings.tokens.surface_roles).length > MAX_SURFACES) {
          throw invalid('/tokens/surface_roles', `must have at most ${MAX_SURFACES} entries in all`);
        }
        ensureSound(settings);
        const stored = tx.put('settings', SETTINGS_ID, settings);
        if (movesAddresses(old.body, settings)) ensureOffRoutes(tx);
        const subject = { kind: 'settings', id: SETTINGS_ID } as const;
        tx.record({ target: subject });
        tx.emit({ type: 'settings.changed', subject, scope: WHOLE_MESH, data: {} });
        return { body: stored.body, revision: stored.revision };
      }),
  };
}

function movesAddresses({ nodes: before }: Settings, { nodes: after }: Settings): boolean {
  return before.address_pool !== after.address_pool || before.address6_prefix !== after.address6_prefix;
}

function patched(old: Settings, patch: SettingsPatch): Settings {
  const { surface_roles, ...tokens } = patch.tokens ?? {};
  const roles = Object.entries({ ...old.tokens.surface_roles, ...surface_roles });
  return withSections(old, {
    ...patch,
    tokens: {
      ...tokens,
      surface_roles: Object.fromEntries(roles.filter((entry): entry is [string, string] => entry[1] !== null)),
    },
  });
}

/** Who says which role others get without asking must have that role's rights, as if it gave them itself. */
function ensureMayGive(tx: Transaction, actor: TokenActor, roles: Readonly<Record<string, string | null>>): void {
  for (const [surface, role] of Object.entries(roles)) {
    if (role === null) continue;
    const permissions = permissionsOfRole(tx, role);
    if (permissions === undefined) throw invalid(`/tokens/surface_roles/${surface}`, `"${role}" is not a role`);
    ensureHolds(actor, permissions);
  }
}
