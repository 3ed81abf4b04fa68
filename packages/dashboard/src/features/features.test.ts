import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  APPLIED_SECTIONS,
  AREAS,
  ATTENTION_KINDS,
  type Attention,
  DEFAULT_SETTINGS,
  EVENT_TYPES,
  type EventRecord,
  type EventType,
  type Overview,
} from '@meshwork/contract';
import { eventWords, staleAreas } from '../feature/event-words.ts';
import { NAVIGATION_GROUPS } from '../feature/feature.ts';
import { FEATURES } from './features.ts';
import { settingSections } from './settings/setting-table.ts';

const FAMILIES = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];
const keysOf = (values: readonly (object | undefined)[]) => values.flatMap((value) => Object.keys(value ?? {})).sort();

describe('the list of features', () => {
  it('names every folder once', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(FEATURES.map(({ id }) => id).sort(), folders.map(({ name }) => name).sort());
  });

  it('has something in every group of the navigation', () => {
    const groups = new Set(FEATURES.flatMap(({ navigation }) => navigation?.group ?? []));
    assert.deepEqual([...groups].sort(), [...NAVIGATION_GROUPS].sort());
    for (const { id, navigation, pages } of FEATURES) {
      assert.ok(navigation === undefined || (pages?.length ?? 0) > 0, `${id} is in the navigation without a page`);
    }
  });

  it('has every page below the address of its feature, once', () => {
    const paths = FEATURES.flatMap(({ pages = [] }) => pages.map(({ path }) => path));
    assert.equal(new Set(paths).size, paths.length);
    for (const { id, pages = [] } of FEATURES) {
      for (const { path } of pages) assert.ok(id === 'overview' || `${path}/`.startsWith(`/${id}/`), path);
    }
  });
});

describe('exactly one feature has', () => {
  it('the words for each family of events', () => {
    assert.deepEqual(keysOf(FEATURES.map(({ events }) => events)), FAMILIES.toSorted());
  });

  it('the link of each kind of attention', () => {
    assert.deepEqual(keysOf(FEATURES.map(({ attention }) => attention)), ATTENTION_KINDS.toSorted());
  });

  it('the title of each section that a node applies', () => {
    assert.deepEqual(keysOf(FEATURES.map(({ sections }) => sections)), APPLIED_SECTIONS.toSorted());
  });

  it('the field of each setting that is one value', () => {
    const shown = settingSections(FEATURES).flatMap(({ settings }) => settings.map(({ path }) => path as string));
    const all = Object.entries(DEFAULT_SETTINGS).flatMap(([section, fields]) =>
      Object.keys(fields).map((field) => `${section}.${field}`),
    );
    assert.deepEqual(shown.sort(), all.filter((path) => path !== 'tokens.surface_roles').sort());
  });

  it('the page of a target of the audit trail', () => {
    const kinds = keysOf(FEATURES.map(({ audit }) => audit?.targets));
    assert.equal(new Set(kinds).size, kinds.length);
  });
});

describe('an event', () => {
  it('has words of its own type, and leads to a page there is', () => {
    for (const type of EVENT_TYPES) {
      const { happened, subject, to } = eventWords(FEATURES, eventOf(type));
      assert.notEqual(happened, type);
      assert.ok(happened !== '' && subject !== '', type);
      assert.ok(to === null || isPage(to), `${type} leads to ${to}`);
    }
  });

  it('makes areas stale that there are, and the audit trail', () => {
    for (const type of EVENT_TYPES) {
      const stale = staleAreas(FEATURES, type);
      assert.ok(stale.length > 1 && stale.includes('audit'), type);
      assert.deepEqual(
        stale.filter((area) => !Object.hasOwn(AREAS, area)),
        [],
        type,
      );
    }
  });

  it('of a type that this page does not know yet is shown as it is', () => {
    const type = 'future.arrived' as EventType;
    assert.deepEqual(staleAreas(FEATURES, type), ['audit']);
    const words = { subject: 'thing_1', happened: 'future.arrived', to: null };
    assert.deepEqual(eventWords(FEATURES, { ...eventOf(type), subject: { kind: 'node', id: 'thing_1' } }), words);
    const known = 'node.someday' as EventType;
    assert.equal(eventWords(FEATURES, eventOf(known)).happened, 'node.someday');
  });

  it('reads as a sentence', () => {
    const said = (type: EventType, event: Partial<EventRecord>) => {
      const { subject, happened } = eventWords(FEATURES, { ...eventOf(type), ...event });
      return `${subject} ${happened}`;
    };
    const on = (kind: EventRecord['subject']['kind'], id: string) => ({ subject: { kind, id } });
    assert.equal(said('node.stale', { data: { name: 'git-1' } }), 'git-1 became stale');
    const assigned = { ...on('node', 'node_1'), data: { name: 'git-1', from: 'fra-1', to: 'ams-1' } };
    assert.equal(said('relay.assigned', assigned), 'git-1 moved to relay ams-1');
    assert.equal(said('relay.deleted', { ...on('relay', 'fra-1'), data: {} }), 'Relay fra-1 was deleted');
    const moved = { ...on('route', '10.20.0.0/16'), data: { cidr: '10.20.0.0/16', from: 'gw-1', to: null } };
    assert.equal(said('route.moved', moved), 'Route 10.20.0.0/16 has no gateway');
    const rekey = { kind: 'rekey', state: 'timed_out', node: 'node_1', node_name: 'git-1', reason: null };
    assert.equal(said('operation.changed', { data: rekey }), 'Re-key of git-1 timed out');
    const certificate = { name: 'git-1.mesh', profile: 'server', serial: '3a9d', reason: 'key_compromise' };
    const revoked = said('certificate.revoked', { ...on('certificate', 'certificate_1'), data: certificate });
    assert.equal(revoked, 'Certificate of git-1.mesh was revoked: key compromise');
    const rotation = { name: 'Meshwork root 1f0c', what: 'root' };
    assert.equal(said('authority.rotation_started', { data: rotation }), 'Rotation of the root was started');
    const switched = (unproven: number) => said('authority.switched', { data: { name: 'M', unproven } });
    assert.equal(switched(0), 'Authority M is in use');
    assert.equal(switched(1), 'Authority M is in use; 1 node has not proven that it trusts it');
    const request = { name: 'git-1', reason: 'It has an RSA key.' };
    assert.equal(
      said('certificate.refused', { data: request }),
      'Certificate request of git-1 was refused: It has an RSA key.',
    );
    const policy = { version: 7, restored_from: null };
    assert.equal(said('policy.changed', { data: policy }), 'Policy was updated to version 7');
    const lie = { from: 'a', to: '100.64.0.7', port: 'tcp:22', verdict: 'allowed', reality: 'blocked', reason: 'No.' };
    const disagreed = said('policy.explain_disagreed', { data: lie });
    assert.equal(disagreed, 'a to 100.64.0.7 on tcp:22 was explained as allowed, but was blocked');
  });
});

describe('what needs attention', () => {
  const remedyOf = (kind: (typeof ATTENTION_KINDS)[number], subject: Attention['subject']) =>
    FEATURES.flatMap(({ attention }) => attention?.[kind]?.(subject) ?? [])[0];

  it('leads to a page there is, or says a command', () => {
    for (const kind of ATTENTION_KINDS) {
      const remedy = remedyOf(kind, { kind: 'node', id: 'some-id', name: 'some name' });
      assert.ok(remedy !== undefined, kind);
      assert.ok('page' in remedy ? isPage(remedy.page.to) : remedy.command.startsWith('mesh '), kind);
    }
  });

  it('asks again what was explained wrongly', () => {
    const search = (name: string) => {
      const remedy = remedyOf('explain_disagreed', { kind: 'policy', id: 'policy', name });
      return remedy !== undefined && 'page' in remedy ? remedy.page.search : undefined;
    };
    assert.deepEqual(search('a -> fd00::7 tcp:22'), { from: 'a', to: 'fd00::7', port: 'tcp:22' });
    assert.equal(search('the policy'), undefined);
  });

  it('asks about a network by an address in it', () => {
    const asked = (cidr: string) => {
      const remedy = remedyOf('route_down', { kind: 'route', id: cidr, name: cidr });
      return remedy !== undefined && 'page' in remedy ? remedy.page.search?.to : undefined;
    };
    assert.equal(asked('10.20.0.0/16'), '10.20.0.1');
    assert.equal(asked('fd00:20::/64'), 'fd00:20::1');
    assert.equal(asked('10.20.0.7/32'), '10.20.0.7');
  });
});

describe('figures on the overview', () => {
  it('lead to pages there are, and are left out without permission', () => {
    const shown = FEATURES.flatMap(({ figures }) => figures?.(overview) ?? []);
    assert.deepEqual(
      shown.map(({ title }) => title),
      ['Operations in progress', 'Explanations checked', 'Relays', 'Ingresses', 'Policy', 'Active tokens'],
    );
    for (const { link } of shown) assert.ok(link === undefined || isPage(link.to), link?.to);
    const none = { operations: null, policy: null, explain: null, relays: null, ingress: null, tokens: null };
    const hidden = { ...overview, ...none };
    assert.deepEqual(
      FEATURES.flatMap(({ figures }) => figures?.(hidden) ?? []),
      [],
    );
  });
});

const overview: Overview = {
  revision: 1,
  nodes: {
    total: 1,
    by_state: { pending: 0, quarantined: 0, unreachable: 0, stale: 0, joining: 0, draining: 0, active: 1 },
    drifting: 0,
    pending: 0,
  },
  operations: { open: 1, failed_lately: 0 },
  policy: { version: 7, groups: 4, grants: 6, tests: 3, stale: 'drop' },
  explain: { checked: 2315, disagreed: 0, unknown: 12 },
  relays: { total: 2, healthy: 1 },
  ingress: { total: 1, served: 1 },
  tokens: { active: 4, expiring: 1 },
  attention: [],
  attention_total: 0,
};

function eventOf(type: EventType): EventRecord {
  const data = { name: 'some name', gateways: ['gw-1'], cut: 1, version: 2, restored_from: 1 };
  const at = '2026-11-16T09:30:00.000Z';
  return { seq: 1, type, at, subject: { kind: 'node', id: 'some-id' }, revision: 1, data };
}

/** Whether an address is that of a page, with anything for its parameters. */
function isPage(address: string): boolean {
  return FEATURES.flatMap(({ pages = [] }) => pages).some(({ path }) =>
    new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`).test(address),
  );
}
