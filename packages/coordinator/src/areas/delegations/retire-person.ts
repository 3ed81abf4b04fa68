import { covers, type RetireRequest } from '@meshwork/contract';
import { endTokens } from '../../access/end-tokens.ts';
import { descendsFrom } from '../../access/lineage.ts';
import { grantedBy } from '../../access/rights.ts';
import { tokenRecord } from '../../access/token-record.ts';
import { actsForPerson, tokenState, works } from '../../access/token-state.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { endedAt } from '../../mesh/passes.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';

/**
 * Ends what a person leaves behind that they may no longer do themselves. The panel decides who that is; the coordinator knows
 * what they made. What is within the limit stays, whatever becomes of the token it was made with. Their sessions at ingresses end.
 */
export function retirePerson(mesh: Mesh, call: Call<'delegations.retire'>): Promise<Reply<'delegations.retire'>> {
  const { person, limit, keep_tokens = false, preview = false } = call.body;
  return call.transact((tx) => {
    if (!preview) tx.put('entry_end', person.id, { at_ms: endedAt(tx.now_ms) });
    if (keep_tokens) return { body: { items: [] } };
    const exceeding = [...tx.all('token')].filter(
      (token) => works(tokenState(token.body, tx.now_ms)) && exceeds(tx, token, limit),
    );
    const made = exceeding.filter((token) => !actsForPerson(token.body) && descendsFrom(tx, token, person.id));
    const delegated = exceeding.filter(({ body }) => body.on_behalf_of?.id === person.id);
    if (!preview) end(tx, call.body, { made, delegated });
    const moment = { now_ms: tx.now_ms, presence: mesh.presence };
    const items = made.map((token) => tokenRecord(tx, tx.get('token', token.id) ?? token, moment));
    return { body: { items } };
  });
}

function exceeds(view: View, { body: { role, scope } }: Stored<'token'>, limit: RetireRequest['limit']): boolean {
  if (limit === null || !covers(limit.scope, scope)) return true;
  const left = grantedBy(view, limit.role);
  return [...grantedBy(view, role)].some((permission) => !left.has(permission));
}

interface Ending {
  readonly made: readonly Stored<'token'>[];
  readonly delegated: readonly Stored<'token'>[];
}

function end(tx: Transaction, { person, by, address = null, limit }: RetireRequest, { made, delegated }: Ending): void {
  const ended = endTokens(tx, [...made, ...delegated]);
  if (ended.length === 0) return;
  const left = limit === null ? 'nothing' : `${limit.role} within ${Object.values(limit.scope).join('/')}`;
  const detail = `${person.name} may do ${left} from now on; ended ${ended.map(({ id }) => id).join(', ')}`;
  tx.record({ target: { kind: 'person', id: person.id }, detail, by: { actor: by, address } });
}
