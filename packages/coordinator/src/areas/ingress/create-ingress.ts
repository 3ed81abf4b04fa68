import { newId, utc } from '@meshwork/contract';
import { ensureMayUseHostname } from '../../access/owners.ts';
import { ensureCovers } from '../../access/rights.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';
import type { Call, Reply } from '../handler.ts';
import { claimHostname } from './hostname.ts';
import { ingressRecord } from './ingress-record.ts';

/** An ingress grants no permission, so all that has to cover it is the scope of the caller. */
const NONE: ReadonlySet<string> = new Set();

export function createIngress(call: Call<'ingress.create'>, proofs: GatewayProofs): Promise<Reply<'ingress.create'>> {
  const id = newId('ingress', call.now_ms);
  const { name, hostname, service, gateways, replicas = 1 } = call.body;
  return call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    ensureMayUseHostname(tx, actor.scope, hostname);
    claimHostname(tx, hostname, id);
    const created_at = utc(tx.now_ms);
    const ingress = tx.create('ingress', id, {
      name,
      hostname,
      service,
      scope,
      gateways,
      replicas,
      draining: false,
      created_at,
    });
    tx.record({ target: { kind: 'ingress', id }, scope });
    tx.emit({ type: 'ingress.created', subject: { kind: 'ingress', id }, scope, data: {} });
    return { body: ingressRecord(tx, ingress, proofs), revision: ingress.revision, location: `/v1/ingress/${id}` };
  });
}
