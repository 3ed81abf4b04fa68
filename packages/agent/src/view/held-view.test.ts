import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPLIED_SECTIONS, type HeartbeatReply, type NodeRule, type Peer, type PeerTerms } from '@meshwork/contract';
import { digestOf, digestOfPair, digestOfText, digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import fc from 'fast-check';
import type { HeldRecords } from './held-records.ts';
import { HeldView } from './held-view.ts';

/** Few ids, so that they meet again. */
const arbitraryId = fc.integer({ min: 0, max: 9 }).map((index) => `node_${index}`);
const arbitraryPeer: fc.Arbitrary<Peer> = fc.record({
  id: arbitraryId,
  name: fc.constantFrom('a', 'b', 'c'),
  wireguard_key: fc.constant('k'),
  address: fc.constant('100.64.0.1/32'),
  address6: fc.constant('fd::1/128'),
  endpoints: fc.uniqueArray(fc.constantFrom('192.0.2.1:1', '192.0.2.2:2'), { maxLength: 2 }),
  relay: fc.constantFrom(null, 'fra-1'),
});
const arbitraryTerms: fc.Arbitrary<PeerTerms> = fc.record({
  peer: arbitraryId,
  allow: fc.uniqueArray(fc.constantFrom('tcp:22', 'icmp'), { maxLength: 2 }),
  forward: fc.constantFrom([], [{ to: '10.0.0.0/8', allow: ['*'] }]),
  routes: fc.constantFrom([], ['192.0.2.0/24']),
});

/** Sections with records, how those are identified, and the digest of one, computed here from its parts. */
interface Kind<R> {
  readonly section: 'peers' | 'acl';
  readonly arbitrary: fc.Arbitrary<R>;
  idOf(record: R): string;
  digestOf(record: R): number;
  heldBy(view: HeldView): HeldRecords<R>;
}

const peers: Kind<Peer> = {
  section: 'peers',
  arbitrary: arbitraryPeer,
  idOf: ({ id }) => id,
  digestOf,
  heldBy: (view) => view.peers,
};
const acl: Kind<PeerTerms> = {
  section: 'acl',
  arbitrary: arbitraryTerms,
  idOf: ({ peer }) => peer,
  digestOf: ({ peer, allow, forward, routes }) =>
    digestOfPair(digestOfText(peer), digestOf({ allow, forward, routes })),
  heldBy: (view) => view.acl,
};

function holdsWhatAModelHolds<R>({ section, arbitrary, idOf, digestOf, heldBy }: Kind<R>): void {
  const list = fc.uniqueArray(arbitrary, { maxLength: 8, selector: idOf });
  const ids = fc.uniqueArray(arbitraryId, { maxLength: 5 });
  const difference = fc.tuple(list, ids).map(([upsert, remove]) => {
    const put = new Set(upsert.map(idOf));
    return { upsert, remove: remove.filter((id) => !put.has(id)) };
  });
  const full = list.map((full) => ({ full }));
  const sections = fc.array(fc.option(fc.oneof(full, difference), { nil: undefined }), { maxLength: 20 });
  const property = fc.property(sections, (received) => {
    const view = new HeldView();
    let model: Record<string, R> = {};
    let revision = 0;
    for (const records of received) {
      revision += 1;
      const reply = { revision, next_s: 0, ...(records === undefined ? {} : { [section]: records }) };
      assert.deepEqual(view.take(reply), records === undefined ? [] : [section]);
      if (records === undefined) continue;
      if ('full' in records) model = Object.fromEntries(records.full.map((record) => [idOf(record), record]));
      else {
        for (const record of records.upsert) model[idOf(record)] = record;
        for (const id of records.remove) delete model[id];
      }
      assert.equal(view.revisionOf(section), revision);
    }
    const held = heldBy(view);
    assert.equal(view.revision, revision);
    assert.deepEqual(Object.fromEntries([...held.all()].map((record) => [idOf(record), record])), model);
    const sum = Object.values(model).reduce((digest, record) => digest + BigInt(digestOf(record)), 0n);
    assert.equal(view.digestOf(section), digestText(Number(sum % 2n ** 48n)));
    const other = section === 'peers' ? 'acl' : 'peers';
    assert.deepEqual([view[other].size, view.revisionOf(other)], [0, 0]);
  });
  fc.assert(property);
}

test('after any fulls and differences the view holds the peers that a plain model holds', () => {
  holdsWhatAModelHolds(peers);
});

test('after any fulls and differences the view holds the terms that a plain model holds', () => {
  holdsWhatAModelHolds(acl);
});

test('terms come in any order, and who has which of them counts', () => {
  const terms = (peer: string, ...allow: string[]): PeerTerms => ({ peer, allow, forward: [], routes: [] });
  const digestAfter = (...upserts: PeerTerms[][]) => {
    const view = new HeldView();
    for (const [index, upsert] of upserts.entries()) view.take({ revision: index + 1, next_s: 0, acl: { upsert } });
    return view.digestOf('acl');
  };
  const one = terms('node_1', 'tcp:22');
  const other = terms('node_2', 'icmp');
  assert.equal(digestAfter([one, other]), digestAfter([other], [one]));
  assert.equal(digestAfter([one, other]), digestAfter([terms('node_1', '*'), other], [one]), 'replaced');
  assert.notEqual(digestAfter([one, other]), digestAfter([terms('node_1', 'icmp'), terms('node_2', 'tcp:22')]));
  assert.notEqual(digestAfter([terms('node_1')]), digestAfter(), 'terms that allow nothing are held all the same');
});

test('the order of host rules matters, and an empty list has the digest of an absent one', () => {
  const rule = (id: string, action: NodeRule['action']): NodeRule => {
    return { id, direction: 'in', interface: 'any', protocol: 'tcp', ports: ['22'], action };
  };
  const accept = rule('firewall_1', 'accept');
  const drop = rule('firewall_2', 'drop');
  const view = new HeldView();
  const digestOfNone = digestText(digestOf([]));
  assert.equal(view.sections.firewall, undefined);
  assert.equal(view.digestOf('firewall'), digestOfNone);

  const tell = (revision: number, firewall: NodeRule[]) => view.take({ revision, next_s: 0, firewall });
  assert.deepEqual(tell(1, [accept, drop]), ['firewall']);
  assert.equal(view.digestOf('firewall'), digestText(digestOf([accept, drop])));
  tell(2, [drop, accept]);
  assert.equal(view.digestOf('firewall'), digestText(digestOf([drop, accept])));
  assert.notEqual(digestOf([accept, drop]), digestOf([drop, accept]));
  assert.deepEqual(view.sections.firewall, [drop, accept], 'all of them, in place of those before');
  assert.equal(view.revisionOf('firewall'), 2);
  tell(3, []);
  assert.deepEqual(view.sections.firewall, []);
  assert.equal(view.digestOf('firewall'), digestOfNone);
});

const self = { name: 'a', address: '', address6: '', tags: [], state: 'active', routes: [] } as const;
const everything: HeartbeatReply = {
  revision: 4,
  next_s: 0,
  self: { ...self, networks: [], tags: [], routes: [] },
  peers: { full: [] },
  acl: { full: [{ peer: 'node_1', allow: ['*'], forward: [], routes: [] }] },
  firewall: [{ id: 'firewall_1', direction: 'out', interface: 'eth0', protocol: 'any', action: 'log' }],
  relay: { name: 'fra-1', host: 'h', port: 1 },
  ingress: [{ id: 'ingress_1', hostname: 'h', draining: false, routes: [], tls: null }],
  waf: [],
  given_certificates: [],
  dns: null,
  trust: { roots: ['PEM'], revocation_lists: [] },
  relay_server: null,
  certificate: { chain: 'PEM', request: false },
  commands: [{ id: 'operation_1', kind: 'rekey' }],
};

test('an absent section stays, an empty one is empty, and no relay is a value of its own', () => {
  const view = new HeldView();
  assert.deepEqual(view.take(everything), APPLIED_SECTIONS);
  assert.deepEqual(view.take({ revision: 5, next_s: 0 }), []);
  assert.equal(view.acl.get('node_1')?.allow[0], '*');
  assert.equal(view.sections.firewall?.length, 1);
  assert.equal(view.sections.relay?.name, 'fra-1');
  assert.equal(view.sections.ingress?.length, 1);
  assert.equal(view.commands.length, 1);
  for (const section of APPLIED_SECTIONS) assert.equal(view.revisionOf(section), 4);

  const emptied = { acl: { full: [] }, firewall: [], relay: null, ingress: [], commands: [] };
  assert.deepEqual(view.take({ revision: 6, next_s: 0, ...emptied }), ['acl', 'firewall', 'relay', 'ingress']);
  assert.equal(view.acl.size, 0);
  assert.equal(view.digestOf('acl'), digestText(EMPTY_DIGEST));
  assert.deepEqual(view.sections.firewall, []);
  assert.equal(view.sections.relay, null);
  assert.equal(view.digestOf('relay'), digestText(digestOf(null)));
  assert.equal(view.digestOf('ingress'), digestText(EMPTY_DIGEST));
  assert.deepEqual(view.commands, []);
  assert.equal(view.sections.self?.name, 'a');
  assert.equal(view.revision, 6);
});
