/** A certificate comes with its key: the first time, or in place of one that is there. */
import {
  covers,
  type FieldError,
  invalid,
  MeshError,
  newId,
  OWN_INGRESS_CERTIFICATES,
  type Scope,
  utc,
} from '@meshwork/contract';
import type { GivenRead } from '@meshwork/pki';
import { ensureMayUseHostname } from '../../access/owners.ts';
import { ensureCovers } from '../../access/rights.ts';
import { refOf } from '../../mesh/actor.ts';
import { givenSealedFor } from '../../mesh/envelopes.ts';
import { givenBy, isFor } from '../../mesh/given-certificates.ts';
import { factsOf } from '../../mesh/given-facts.ts';
import type { View } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnGiven, NONE } from './find-given.ts';
import { givenRecord, type RecordSources } from './given-record.ts';

type Parts = Pick<Runtime, 'mesh' | 'signing'>;

export async function createGiven(
  { mesh, signing }: Parts,
  call: Call<'given_certificates.create'>,
  sources: RecordSources,
): Promise<Reply<'given_certificates.create'>> {
  const { name, chain, private_key } = call.body;
  if (OWN_INGRESS_CERTIFICATES.some((own) => own === name)) {
    throw invalid('/name', `cannot be "${name}", which means something else to an ingress`);
  }
  const read = judged(await signing.run('given', { chain, private_key, now_ms: call.now_ms }));
  const id = newId('given', call.now_ms);
  const key = mesh.seal(Buffer.from(read.private_key), givenSealedFor(id));
  return await call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    ensureMayBring(tx, actor.scope, read);
    const made = { created_at: utc(tx.now_ms), created_by: refOf(actor), replaced_at: null };
    const given = tx.create('given_certificate', id, { name, scope, ...factsOf(read), key, ...made });
    const subject = { kind: 'given_certificate', id } as const;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'given_certificate.created', subject, scope, data: { name } });
    const body = givenRecord(tx, given, { ...sources, viewer: actor.scope, now_ms: tx.now_ms });
    return { body, revision: given.revision, location: `/v1/given-certificates/${id}` };
  });
}

export async function replaceGiven(
  { mesh, signing }: Parts,
  call: Call<'given_certificates.replace'>,
  sources: RecordSources,
): Promise<Reply<'given_certificates.replace'>> {
  const { id } = findOwnGiven(mesh.model, call.params.id, call.actor); // before work is done for a caller that may not know of it
  const read = judged(await signing.run('given', { ...call.body, now_ms: call.now_ms }));
  const key = mesh.seal(Buffer.from(read.private_key), givenSealedFor(id));
  return await call.transact((tx, actor) => {
    const old = findOwnGiven(tx, id, actor);
    ensureMatches(old, call.if_match);
    ensureMayBring(tx, actor.scope, read);
    ensureForAllUsers(tx, { id, names: read.names, viewer: actor.scope });
    const { name, scope, created_at, created_by } = old.body;
    const kept = { name, scope, created_at, created_by };
    const given = tx.put('given_certificate', id, { ...kept, ...factsOf(read), key, replaced_at: utc(tx.now_ms) });
    const subject = { kind: 'given_certificate', id } as const;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'given_certificate.replaced', subject, scope, data: { name } });
    const body = givenRecord(tx, given, { ...sources, viewer: actor.scope, now_ms: tx.now_ms });
    return { body, revision: given.revision };
  });
}

function judged(result: GivenRead | { readonly faults: readonly { part: string; detail: string }[] }): GivenRead {
  if (!('faults' in result)) return result;
  const errors: FieldError[] = result.faults.map(({ part, detail }) => ({ pointer: `/${part}`, detail }));
  const text = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  throw new MeshError('invalid', `${text}.`, { errors });
}

/** A server that shows a certificate for a name speaks for that name. */
function ensureMayBring(view: View, scope: Scope, { names }: GivenRead): void {
  for (const name of names) ensureMayUseHostname(view, scope, name);
}

/** Walks the ingresses as the transaction has them, which no index does. */
function ensureForAllUsers(
  view: View,
  { id, names, viewer }: { readonly id: string; readonly names: readonly string[]; readonly viewer: Scope },
): void {
  for (const { body } of view.all('ingress')) {
    if (givenBy(body) !== id || isFor(names, body.hostname)) continue;
    throw invalid(
      '/chain',
      covers(viewer, body.scope)
        ? `is not for ${body.hostname}, the host name of the ingress "${body.name}" that shows it`
        : 'is not for the host name of an ingress outside the scope of the caller that shows it',
    );
  }
}
