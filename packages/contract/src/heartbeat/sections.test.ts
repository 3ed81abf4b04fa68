import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, EMPTY_DIGEST } from '../digest.ts';
import { HeartbeatReply, HeartbeatRequest } from './heartbeat.ts';
import { digestOfPeerRecord, digestOfSection } from './section-digest.ts';
import {
  APPLIED_SECTIONS,
  PEER_SECTIONS,
  SECTION_NAMES,
  SECTIONS,
  type SectionRow,
  WHOLE_SECTIONS,
} from './sections.ts';

test('both sides of the heartbeat have what the table says', () => {
  const { revision, next_s, report, probes, ...sections } = HeartbeatReply.properties;
  assert.ok(revision && next_s && report && probes);
  assert.deepEqual(Object.keys(sections), SECTION_NAMES);
  assert.deepEqual(Object.keys(HeartbeatRequest.properties.applied.properties), APPLIED_SECTIONS);
  assert.deepEqual([...WHOLE_SECTIONS, ...PEER_SECTIONS].sort(), [...SECTION_NAMES].sort());
});

test('a section that was never sent counts as empty', () => {
  for (const section of WHOLE_SECTIONS) {
    const row: SectionRow = SECTIONS[section];
    const expected = row.empty === undefined ? EMPTY_DIGEST : digestOfSection(section, row.empty as never);
    assert.equal(digestOfSection(section, undefined), expected, section);
  }
  assert.equal(digestOfSection('self', undefined), EMPTY_DIGEST);
});

test('the order counts for host rules, and not for the ingresses of a gateway', () => {
  const rules = ['firewall_1', 'firewall_2'].map((id) => ({ id, direction: 'in', interface: 'any' }) as never);
  assert.notEqual(digestOfSection('firewall', rules), digestOfSection('firewall', rules.toReversed()));
  const served = ['ingress_1', 'ingress_2'].map((id) => ({
    id,
    hostname: 'h',
    draining: false,
    routes: [],
    tls: null,
  }));
  assert.equal(digestOfSection('ingress', served), digestOfSection('ingress', served.toReversed()));
});

test('what is allowed with a peer counts under that peer', () => {
  const terms = { allow: ['tcp:22'], forward: [], routes: [] };
  const of = (peer: string) => digestOfPeerRecord('acl', { peer, ...terms });
  assert.notEqual(of('node_a'), of('node_b'));
  assert.notEqual(of('node_a'), digestOf({ peer: 'node_a', ...terms }));
  assert.equal(digestOfPeerRecord('peers', { id: 'node_a' }), digestOf({ id: 'node_a' }));
});
