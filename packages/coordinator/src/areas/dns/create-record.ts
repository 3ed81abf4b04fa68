import { MAX_DNS_RECORDS, MeshError, newId, utc } from '@meshwork/contract';
import { ensureMayUseHostname } from '../../access/owners.ts';
import { ensureCovers } from '../../access/rights.ts';
import { refOf } from '../../mesh/actor.ts';
import { claim } from '../../mesh/node-claims.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { fqdnOf, shownRecord } from './records.ts';
import { ensureSoundRecord } from './sound-record.ts';

/** A record grants no permission, so all that has to cover it is the scope of the caller. */
const NONE: ReadonlySet<string> = new Set();

export function createRecord(call: Call<'dns.create'>): Promise<Reply<'dns.create'>> {
  const id = newId('dns', call.now_ms);
  const { name, addresses = [], cname = null, note = null } = call.body;
  return call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    ensureMayUseHostname(tx, actor.scope, fqdnOf(name));
    ensureSoundRecord(tx, { name, addresses, cname });
    ensureRoom(tx);
    claim(tx, id, { name });
    const created = { created_at: utc(tx.now_ms), created_by: refOf(actor) };
    const record = tx.create('dns', id, { name, addresses, cname, scope, note, ...created });
    tx.record({ target: { kind: 'dns', id }, scope });
    tx.emit({ type: 'dns.created', subject: { kind: 'dns', id }, scope, data: { name: fqdnOf(name) } });
    return { body: shownRecord(record), revision: record.revision, location: `/v1/dns/records/${id}` };
  });
}

function ensureRoom(tx: Transaction): void {
  let count = 0;
  for (const _ of tx.all('dns')) count++;
  if (count >= MAX_DNS_RECORDS) {
    throw new MeshError('too_many', `The mesh has ${count} DNS records, and takes ${MAX_DNS_RECORDS} at most.`);
  }
}
