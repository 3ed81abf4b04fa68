/** The tokens of a person that a change of the person would end. */
import { covers, MeshError, type Token, type UserId } from '@meshwork/contract';
import { callerOf } from '../../callers/caller.ts';
import { ensureVisible } from '../../callers/rights.ts';
import type { Call } from '../handler.ts';
import type { PanelParts } from '../parts.ts';

type About = Pick<Call<'users.tokens' | 'users.update' | 'users.remove'>, 'person' | 'token' | 'cause' | 'address'> & {
  readonly params: { readonly id: string };
};

/** What would change. Nothing at all: the person goes, or is disabled. */
interface Change {
  readonly role?: string | undefined;
  readonly team?: string | undefined;
  readonly surface?: string | undefined;
  readonly environment?: string | undefined;
}

export async function tokensToEnd(parts: PanelParts, call: About, change: Change): Promise<readonly Token[]> {
  const { id, body } = ensureVisible(callerOf(call), parts.ledger.get('user', call.params.id));
  const { role, team, surface, environment } = change;
  const isEnd = [role, team, surface, environment].every((one) => one === undefined);
  const scope = {
    team: team ?? body.scope.team,
    surface: surface ?? body.scope.surface,
    environment: environment ?? body.scope.environment,
  };
  return parts.retirements.preview({
    person: { id: id as UserId, name: body.name },
    by: call.cause.actor,
    address: call.address,
    limit: isEnd ? null : { role: role ?? body.role, scope },
  });
}

/** A caller who keeps a token is responsible for it, so they need every permission that it has. */
export async function ensureMayKeep(parts: PanelParts, call: About, change: Change): Promise<void> {
  const caller = callerOf(call);
  for (const token of await tokensToEnd(parts, call, change)) {
    const beyond = token.permissions.find((permission) => !holds(caller.permissions, permission));
    if (beyond === undefined && covers(caller.scope, token.scope)) continue;
    const why = beyond === undefined ? 'its scope is wider than your own' : `it has ${beyond}, which your role lacks`;
    throw new MeshError('exceeds_own_rights', `You cannot keep the token "${token.name}" (${token.id}): ${why}.`);
  }
}

function holds(permissions: ReadonlySet<string>, permission: string): boolean {
  return permissions.has(permission);
}
