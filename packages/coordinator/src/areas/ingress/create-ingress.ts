import { newId, utc } from '@meshwork/contract';
import { ensureMayUseHostname } from '../../access/owners.ts';
import { ensureCovers } from '../../access/rights.ts';
import { defaultsOf } from '../../mesh/whole-ingress.ts';
import type { Call, Reply } from '../handler.ts';
import { claimHostname } from './hostname.ts';
import { ingressRecord, type RecordSources } from './ingress-record.ts';
import { mergedIngress } from './merge-ingress.ts';
import { faultsOfCertificate, namedCertificate } from './named-certificate.ts';
import { namedPolicies } from './named-policies.ts';
import { ensureSoundIngress } from './sound-ingress.ts';

/** An ingress grants no permission, so all that has to cover it is the scope of the caller. */
const NONE: ReadonlySet<string> = new Set();

export function createIngress(call: Call<'ingress.create'>, sources: RecordSources): Promise<Reply<'ingress.create'>> {
  const id = newId('ingress', call.now_ms);
  const { name, kind = 'http', hostname, port = null, service = null, gateways, replicas = 1 } = call.body;
  return call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    const named = namedPolicies(tx, call.body, { actor, scope, known: [] });
    const change = namedCertificate(tx, named, { actor, scope, known: undefined });
    const body = {
      name,
      kind,
      hostname,
      port,
      service,
      ...mergedIngress(defaultsOf(kind), change),
      scope,
      gateways,
      replicas,
      draining: false,
      created_at: utc(tx.now_ms),
    };
    ensureSoundIngress(body, faultsOfCertificate(tx, body));
    ensureMayUseHostname(tx, actor.scope, hostname);
    claimHostname(tx, body, id);
    const ingress = tx.create('ingress', id, body);
    tx.record({ target: { kind: 'ingress', id }, scope });
    tx.emit({ type: 'ingress.created', subject: { kind: 'ingress', id }, scope, data: { name } });
    const record = ingressRecord(tx, ingress, { ...sources, viewer: actor.scope });
    return { body: record, revision: ingress.revision, location: `/v1/ingress/${id}` };
  });
}
