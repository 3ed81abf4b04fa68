import { DEFAULT_UPSTREAM, newId, utc } from '@meshwork/contract';
import { ensureMayUseHostname } from '../../access/owners.ts';
import { ensureCovers } from '../../access/rights.ts';
import { DEFAULT_TLS } from '../../mesh/whole-ingress.ts';
import type { Call, Reply } from '../handler.ts';
import { claimHostname } from './hostname.ts';
import { ingressRecord, type RecordSources } from './ingress-record.ts';
import { mergedIngress } from './merge-ingress.ts';
import { ensureSoundIngress } from './sound-ingress.ts';

const DEFAULTS = { upstream: DEFAULT_UPSTREAM, routes: [], tls: DEFAULT_TLS };
/** An ingress grants no permission, so all that has to cover it is the scope of the caller. */
const NONE: ReadonlySet<string> = new Set();

export function createIngress(call: Call<'ingress.create'>, sources: RecordSources): Promise<Reply<'ingress.create'>> {
  const id = newId('ingress', call.now_ms);
  const { name, hostname, service, gateways, replicas = 1 } = call.body;
  return call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    const body = {
      name,
      hostname,
      service,
      ...mergedIngress(DEFAULTS, call.body),
      scope,
      gateways,
      replicas,
      draining: false,
      created_at: utc(tx.now_ms),
    };
    ensureSoundIngress(body);
    ensureMayUseHostname(tx, actor.scope, hostname);
    claimHostname(tx, hostname, id);
    const ingress = tx.create('ingress', id, body);
    tx.record({ target: { kind: 'ingress', id }, scope });
    tx.emit({ type: 'ingress.created', subject: { kind: 'ingress', id }, scope, data: { name } });
    return { body: ingressRecord(tx, ingress, sources), revision: ingress.revision, location: `/v1/ingress/${id}` };
  });
}
