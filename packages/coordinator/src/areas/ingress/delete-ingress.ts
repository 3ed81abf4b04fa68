import type { IngressId } from '@meshwork/contract';
import { refOf } from '../../mesh/actor.ts';
import { revokeHostname } from '../../mesh/ingress-certificates.ts';
import { wholeIngress } from '../../mesh/whole-ingress.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findIngress } from './find-ingress.ts';
import { freeHostname } from './hostname.ts';

export function deleteIngress(call: Call<'ingress.delete'>): Promise<Reply<'ingress.delete'>> {
  return call.transact((tx, actor) => {
    const ingress = findIngress(tx, call.params.id, actor);
    ensureMatches(ingress, call.if_match);
    const { id } = ingress;
    const { scope, hostname, name } = ingress.body;
    freeHostname(tx, wholeIngress(ingress.body));
    revokeHostname(tx, id as IngressId, hostname, refOf(actor));
    tx.delete('ingress_certificate', id);
    // In the same commit, so that no gateway is sent an ingress that is gone.
    tx.delete('placement', id);
    tx.delete('ingress', id);
    tx.record({ target: { kind: 'ingress', id }, scope });
    tx.emit({ type: 'ingress.deleted', subject: { kind: 'ingress', id }, scope, data: { name } });
    return { body: undefined };
  });
}
