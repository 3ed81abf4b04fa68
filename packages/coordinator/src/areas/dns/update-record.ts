import { isDeepStrictEqual } from 'node:util';
import { ensureMayUseHostname } from '../../access/owners.ts';
import type { DnsDocument } from '../../kinds/dns.ts';
import { unclaim } from '../../mesh/node-claims.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findRecord, fqdnOf, shownRecord } from './records.ts';
import { ensureSoundRecord } from './sound-record.ts';

export function updateRecord(call: Call<'dns.update'>): Promise<Reply<'dns.update'>> {
  return call.transact((tx, actor) => {
    const old = findRecord(tx, call.params.id, actor);
    ensureMatches(old, call.if_match);
    const body = patched(old.body, call.body);
    if (isDeepStrictEqual(body, old.body)) return { body: shownRecord(old), revision: old.revision };
    // Where a name leads is what its owners decide; a note is not.
    if (body.addresses !== old.body.addresses || body.cname !== old.body.cname) {
      ensureMayUseHostname(tx, actor.scope, fqdnOf(body.name));
      ensureSoundRecord(tx, body);
    }
    const record = tx.put('dns', old.id, body);
    const { scope } = body;
    tx.record({ target: { kind: 'dns', id: old.id }, scope });
    tx.emit({ type: 'dns.changed', subject: { kind: 'dns', id: old.id }, scope, data: { name: fqdnOf(body.name) } });
    return { body: shownRecord(record), revision: record.revision };
  });
}

/** One of the two that a record can be takes the place of the other. */
function patched(old: DnsDocument, { addresses, cname, note = old.note }: Call<'dns.update'>['body']): DnsDocument {
  const isAlias = typeof cname === 'string';
  return {
    ...old,
    note,
    addresses: addresses ?? (isAlias ? [] : old.addresses),
    cname: cname === undefined ? (addresses === undefined ? old.cname : null) : cname,
  };
}

export function deleteRecord(call: Call<'dns.delete'>): Promise<Reply<'dns.delete'>> {
  return call.transact((tx, actor) => {
    const record = findRecord(tx, call.params.id, actor);
    ensureMatches(record, call.if_match);
    const { id, body } = record;
    unclaim(tx, { name: body.name });
    tx.delete('dns', id);
    tx.record({ target: { kind: 'dns', id }, scope: body.scope });
    tx.emit({
      type: 'dns.deleted',
      subject: { kind: 'dns', id },
      scope: body.scope,
      data: { name: fqdnOf(body.name) },
    });
    return { body: undefined };
  });
}
