import { hash } from 'node:crypto';
import type { Authority } from '@meshwork/contract';
import { activeRoot, authoritiesOf, certificatePem } from '../../issuing/authorities.ts';
import { certificateState } from '../../issuing/certificate-state.ts';
import { certifies } from '../../issuing/granted-hostnames.ts';
import { listUrlOf } from '../../issuing/list-url.ts';
import type { Model, Stored, View } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Call, Reply } from '../handler.ts';
import { rotationRecord } from './rotation-record.ts';

/** The authorities, roots first. */
export function showCa(model: Model, { now_ms, actor }: Call<'ca.show'>): Reply<'ca.show'> {
  const valid = countValid(model, now_ms);
  const records = authoritiesOf(model).map((authority) => authorityRecord(model, authority, now_ms, valid));
  const roots = records.filter(({ role }) => role === 'root');
  const authorities = [...roots, ...records.filter(({ role }) => role !== 'root')];
  return {
    body: {
      authorities,
      uncertified_domains: uncertifiedDomains(model),
      rotation: rotationRecord(model, { scope: actor.scope, now_ms }),
    },
  };
}

/** Domains of the settings that wait for a new root. */
function uncertifiedDomains(model: Model): string[] {
  const root = activeRoot(model)?.body;
  if (root === undefined) return [];
  return settingsOf(model).ca.domains.filter((domain) => !certifies(root.constraints, domain));
}

/** `valid`: for all of them at once, from `countValid`. */
export function authorityRecord(
  view: View,
  { id, body }: Stored<'authority'>,
  now_ms: number,
  valid = countValid(view, now_ms),
): Authority {
  const list = view.get('revocation_list', id)?.body;
  const { role, state, state_since, name, issuer, serial, certificate, constraints, not_before, not_after } = body;
  return {
    id,
    role,
    state,
    state_since,
    name,
    issuer,
    serial,
    fingerprint: hash('sha256', Buffer.from(certificate, 'base64')),
    not_before,
    not_after,
    constraints: {
      domains: [...constraints.domains],
      networks: [...constraints.networks],
      trust_domain: constraints.trust_domain,
    },
    key: body.key !== null ? 'kept' : body.dropped_at === undefined ? 'deleted' : 'outside',
    key_exported_at: body.exported_at ?? null,
    certificates: valid.get(id) ?? 0,
    revocation_list:
      list === undefined
        ? null
        : { number: list.number, entries: list.entries, made_at: list.made_at, next_at: list.next_at },
    revocation_list_url: state === 'retired' ? null : (listUrlOf(view, { serial }).list_url ?? null),
    certificate: certificatePem(certificate),
  };
}

/** Valid certificates by the authority that signed them. Those of a root are its intermediates. */
function countValid(view: View, now_ms: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (issuer: string) => counts.set(issuer, (counts.get(issuer) ?? 0) + 1);
  for (const { body } of view.all('certificate')) {
    if (certificateState(view, body, now_ms) === 'valid') count(body.issuer);
  }
  for (const { body } of view.all('authority')) {
    if (body.issuer !== null && Date.parse(body.not_after) > now_ms) count(body.issuer);
  }
  return counts;
}
