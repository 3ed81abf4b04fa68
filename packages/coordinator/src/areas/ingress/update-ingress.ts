import { isDeepStrictEqual } from 'node:util';
import { type Ingress, type IngressId, type Scope, utc } from '@meshwork/contract';
import { ensureMayUseHostname } from '../../access/owners.ts';
import type { IngressDocument } from '../../kinds/ingress.ts';
import { refOf } from '../../mesh/actor.ts';
import { drainDeadline } from '../../mesh/drain-deadline.ts';
import { revokeHostname } from '../../mesh/ingress-certificates.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { policiesNamedBy } from '../../mesh/waf-policies.ts';
import { ownPort, type WholeIngress, wholeIngress } from '../../mesh/whole-ingress.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findIngress } from './find-ingress.ts';
import { claimHostname, freeHostname } from './hostname.ts';
import { ingressRecord, type RecordSources } from './ingress-record.ts';
import { mergedIngress } from './merge-ingress.ts';
import { faultsOfCertificate, namedCertificate } from './named-certificate.ts';
import { namedPolicies } from './named-policies.ts';
import { leaveTakenPorts } from './place-ingress.ts';
import { ensureSoundIngress } from './sound-ingress.ts';

export function updateIngress(call: Call<'ingress.update'>, sources: RecordSources): Promise<Reply<'ingress.update'>> {
  const { hostname } = call.body;
  return call.transact((tx, actor) => {
    const old = findIngress(tx, call.params.id, actor);
    ensureMatches(old, call.if_match);
    const before = wholeIngress(old.body);
    if (hostname !== undefined && hostname !== before.hostname) {
      ensureMayUseHostname(tx, actor.scope, hostname);
      claimHostname(tx, { kind: before.kind, hostname }, old.id as IngressId);
      freeHostname(tx, before);
      revokeHostname(tx, old.id as IngressId, before.hostname, refOf(actor));
    }
    const { scope } = before;
    const named = namedPolicies(tx, call.body, { actor, scope, known: policiesNamedBy(old.body) });
    const change = namedCertificate(tx, named, { actor, scope, known: before.tls.certificate });
    const ingress = changed(tx, old, { ...change, ...mergedIngress(before, change) });
    if (ownPort(ingress.body) !== ownPort(before)) leaveTakenPorts(tx, ingress, sources.indexes);
    return shown(tx, ingress, { ...sources, viewer: actor.scope });
  });
}

/** Drained, it takes no new connections on any of its gateways; they keep what they have, until a deadline if there is one. */
export function drainIngress(
  call: Call<'ingress.drain'> | Call<'ingress.undrain'>,
  draining: boolean,
  sources: RecordSources,
): Promise<{ body: Ingress; revision: number }> {
  return call.transact((tx, actor) => {
    const old = findIngress(tx, call.params.id, actor);
    ensureMatches(old, call.if_match);
    const deadline_s = draining ? (call as Call<'ingress.drain'>).body.deadline_s : undefined;
    const drain = draining ? drainOf(tx, old.body, deadline_s) : null;
    return shown(tx, changed(tx, old, { draining, drain }), { ...sources, viewer: actor.scope });
  });
}

/** One that goes on keeps what was proven of it. */
function drainOf(tx: Transaction, { draining, drain }: IngressDocument, deadline_s: number | undefined) {
  const begun = { since: utc(tx.now_ms), drained_at: null, cut: 0 };
  return { ...((draining ? drain : null) ?? begun), deadline: drainDeadline(tx.now_ms, deadline_s) };
}

/** What stays as it was is no change: neither a new revision nor an entry. */
function changed(tx: Transaction, old: Stored<'ingress'>, change: Partial<WholeIngress>): Stored<'ingress'> {
  const before = wholeIngress(old.body);
  const body = { ...before, ...change };
  if (isDeepStrictEqual(body, before)) return old;
  // What it shows already is looked at when that or its name changes: it can be drained whatever became of the certificate.
  const isAsked = body.hostname !== before.hostname || !isDeepStrictEqual(body.tls, before.tls);
  ensureSoundIngress(body, isAsked ? faultsOfCertificate(tx, body) : []);
  const ingress = tx.put('ingress', old.id, body);
  const { scope, name } = body;
  tx.record({ target: { kind: 'ingress', id: old.id }, scope });
  tx.emit({ type: 'ingress.changed', subject: { kind: 'ingress', id: old.id }, scope, data: { name } });
  return ingress;
}

function shown(tx: Transaction, ingress: Stored<'ingress'>, sources: RecordSources & { readonly viewer: Scope }) {
  return { body: ingressRecord(tx, ingress, sources), revision: ingress.revision };
}
