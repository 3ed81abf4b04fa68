import { covers, type DnsRecord, MESH_DOMAIN, MeshError } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Model, Stored, View } from '../../mesh/model.ts';
import { holderOfName } from '../../mesh/node-claims.ts';
import type { Call, Reply } from '../handler.ts';

export function fqdnOf(name: string): string {
  return `${name}.${MESH_DOMAIN}`;
}

export function shownRecord({ id, body, revision }: Stored<'dns'>): DnsRecord {
  const { name, addresses, ...rest } = body;
  return { id, name, fqdn: fqdnOf(name), addresses: [...addresses], ...rest, revision };
}

/** The record of that id, name or whole name, if the caller may know of it. What lies outside its scope is not there for it. */
export function findRecord(view: View, id: string, actor: TokenActor): Stored<'dns'> {
  const record = view.get('dns', id) ?? recordNamed(view, id);
  if (record === undefined) throw new MeshError('not_found', notThere(id));
  if (!covers(actor.scope, record.body.scope)) {
    throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
  }
  return record;
}

function recordNamed(view: View, text: string): Stored<'dns'> | undefined {
  const ending = `.${MESH_DOMAIN}`;
  const names = text.endsWith(ending) ? [text, text.slice(0, -ending.length)] : [text];
  for (const name of names) {
    const record = view.get('dns', holderOfName(view, name) ?? '');
    if (record !== undefined) return record;
  }
  return undefined;
}

export function listRecords(model: Model, call: Call<'dns.list'>): Reply<'dns.list'> {
  const body = pageById('dns.list', call.query, {
    walk: (after) => model.after('dns', after),
    keep: ({ body }: Stored<'dns'>) => covers(call.actor.scope, body.scope),
    show: shownRecord,
  });
  return { body };
}

function notThere(id: string): string {
  return `There is no DNS record "${id}".`;
}
