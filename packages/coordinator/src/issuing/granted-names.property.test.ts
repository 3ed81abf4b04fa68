/** Which names a request is granted, against a plain reading of the rules, for any scope and any mix of names. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type NodeId, type RequestedProfile, type Scope, WHOLE_MESH } from '@meshwork/contract';
import type { RequestRead } from '@meshwork/pki';
import fc from 'fast-check';
import type { IngressDocument } from '../kinds/ingress.ts';
import type { NodeDocument } from '../kinds/nodes.ts';
import { Directory } from '../mesh/directory.ts';
import { Model, type Put } from '../mesh/model.ts';
import { POLICY_ID, sha256Of } from '../mesh/policy-in-effect.ts';
import { grantedNames } from './granted-names.ts';
import { PROFILES } from './profiles.ts';

const AT = '2026-11-15T09:00:00Z';
const constraints = { domains: ['mesh', 'corp.example.org'], networks: ['100.64.0.0/10'], trust_domain: 'x.mesh' };
const teams = ['alpha', 'beta'] as const;
const team = (name: string): Scope => ({ team: name, surface: '*', environment: '*' });

/** Of each team a node that is a member, one that is in quarantine, and three ingresses. */
const NODES = teams.flatMap((of, index) =>
  ['a', 'q'].map((kind, place) => ({
    id: `node_${kind}${of}` as NodeId,
    team: of,
    name: `${kind}-${of}`,
    address: `100.64.${index}.${place + 1}`,
    isMember: kind === 'a',
  })),
);
const INGRESSES = teams.flatMap((of) => [
  { id: `ingress_1${of}`, team: of, hostname: `${of}.corp.example.org` },
  { id: `ingress_2${of}`, team: of, hostname: `${of}.example.net` },
  { id: `ingress_3${of}`, team: of, hostname: `${of}.mesh` },
]);

const model = new Model();
const directory = new Directory(model);
model.applyAll([{ revision: 1, puts: [...NODES.flatMap(putsOfNode), ...INGRESSES.flatMap(putsOfIngress), policy()] }]);

function putsOfNode({ id, team: of, name, address, isMember }: (typeof NODES)[number]): readonly Put[] {
  const body: NodeDocument = {
    name,
    identity_key: '',
    wireguard_key: '',
    tags: [`team:${of}`],
    address,
    address6: 'fd00::1',
    routes_approved: [],
    pinned_relay: null,
    created_at: AT,
    created_by: { kind: 'system', id: null, name: 'test' },
    approved_at: AT,
    quarantined: isMember ? null : { at: AT, reason: null },
    draining_since: null,
    removed_at: null,
    session_epoch: 0,
  };
  return [
    { kind: 'node', id, body },
    { kind: 'claim', id: `name/${name}`, body: { holder: id } },
    { kind: 'claim', id: `address/${address}`, body: { holder: id } },
  ];
}

function putsOfIngress({ id, team: of, hostname }: (typeof INGRESSES)[number]): readonly Put[] {
  const body: IngressDocument = {
    name: 'web',
    hostname,
    service: 'web',
    scope: team(of),
    gateways: ['tag:role:gateway'],
    replicas: 1,
    draining: false,
    created_at: AT,
  };
  return [
    { kind: 'ingress', id, body },
    { kind: 'claim', id: `hostname/${hostname}`, body: { holder: id } },
  ];
}

/** Each team owns what is named after it. */
function policy(): Put {
  const domain_owners = Object.fromEntries(
    teams.flatMap((of) => [`${of}.corp.example.org`, `${of}.example.net`].map((name) => [name, [`scope:${of}/*/*`]])),
  );
  const text = JSON.stringify({ domain_owners });
  const created_by = { kind: 'system', id: null, name: 'test' } as const;
  const about = { created_at: AT, created_by, note: null, restored_from: null, lapsed: [] };
  return { kind: 'policy', id: POLICY_ID, body: { version: 1, text, sha256: sha256Of(text), ...about } };
}

const names = fc.array(
  fc.oneof(
    fc.constantFrom(...NODES.map(({ name }) => ({ dns: `${name}.mesh` }))),
    fc.constantFrom(...NODES.map(({ name }) => ({ dns: `deep.api.${name}.mesh` }))),
    fc.constantFrom(...NODES.map(({ address }) => ({ address }))),
    fc.constantFrom(...NODES.map(({ name }) => ({ uri: `spiffe://x.mesh/node/${name}` }))),
    fc.constantFrom(...NODES.map(({ name }) => ({ uri: `spiffe://x.mesh/node/${name}/api` }))),
    { weight: 5, arbitrary: fc.constantFrom(...INGRESSES.map(({ hostname }) => ({ dns: hostname }))) },
    fc.constantFrom(
      { dns: 'mesh' },
      { dns: 'nothing.mesh' },
      { dns: 'x.alpha.corp.example.org' },
      { dns: 'corp.example.org' },
      { dns: NODES[0]?.id ?? '' },
      { address: '192.0.2.1' },
      { uri: 'spiffe://other.mesh/node/a-alpha/api' },
    ),
  ),
  { maxLength: 3 },
);
type Name = { readonly dns?: string; readonly address?: string; readonly uri?: string };

function requestFor(all: readonly Name[]): RequestRead {
  return {
    public_key: Buffer.alloc(0),
    key_type: 'EC P-256',
    common_name: null,
    usages: null,
    names: {
      dns: all.flatMap(({ dns }) => dns ?? []),
      addresses: all.flatMap(({ address }) => address ?? []),
      uris: all.flatMap(({ uri }) => uri ?? []),
    },
  };
}

/** The rules as an operator reads them. */
function mayHave(profile: RequestedProfile, scope: Scope, { dns, address, uri }: Name): boolean {
  const isMine = (of: string) => scope.team === '*' || scope.team === of;
  if (profile === 'ingress') {
    return INGRESSES.some((one) => one.hostname === dns && isMine(one.team) && dns.endsWith('.corp.example.org'));
  }
  return NODES.some(
    (node) =>
      node.isMember &&
      isMine(node.team) &&
      (dns === `${node.name}.mesh` ||
        dns?.endsWith(`.${node.name}.mesh`) === true ||
        address === node.address ||
        uri?.startsWith(`spiffe://x.mesh/node/${node.name}/`) === true),
  );
}

it('a request is granted exactly when each of its names is the caller’s by its profile', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.constantFrom(...(['server', 'client', 'ingress'] as const)),
      fc.constantFrom(WHOLE_MESH, ...teams.map(team), team('gamma')),
      names,
      (profile, scope, all) => {
        const asked = { read: requestFor(all), profile, scope, constraints };
        const isRight = all.length > 0 && all.every((name) => mayHave(profile, scope, name));
        const granted = grantedNames(model, directory, asked);
        assert.equal('nodes' in granted, isRight, JSON.stringify([profile, scope.team, all, granted]));
        seen.set(`${profile} ${isRight}`, (seen.get(`${profile} ${isRight}`) ?? 0) + 1);
        if (!('nodes' in granted)) return assert.ok(granted.faults.length > 0);
        // What it belongs to is what revokes it, so nothing may be left out.
        const holders = profile === 'ingress' ? (granted.of_ingresses?.ids ?? []) : granted.nodes;
        assert.equal(holders.length > 0, true);
        assert.equal(granted.of_ingresses === undefined, profile !== 'ingress');
      },
    ),
    { numRuns: 3000 },
  );
  for (const profile of Object.keys(PROFILES).filter((one) => one !== 'node')) {
    for (const outcome of [true, false])
      assert.ok((seen.get(`${profile} ${outcome}`) ?? 0) > 5, `${profile} ${outcome}`);
  }
});
