import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type Attention,
  BUILT_IN_ROLES,
  type BuiltInRole,
  MAX_ATTENTION,
  type NodeId,
  newId,
  type Overview,
  type Permission,
  type Scope,
  utc,
  WHOLE_MESH,
} from '@meshwork/contract';
import { openApiDocument } from '@meshwork/contract/openapi';
import { Metrics, Outbound, openLog } from '@meshwork/service';
import { ADA, PLATFORM, TestClock } from '../../../test/harness.ts';
import { put, TestFleet } from '../../../test/test-fleet.ts';
import { newToken } from '../../access/new-token.ts';
import { NodeSessions } from '../../access/node-session.ts';
import { Signing } from '../../issuing/signing/signing.ts';
import type { OperationDocument } from '../../kinds/operations.ts';
import { COORDINATOR, refOf, type TokenActor } from '../../mesh/actor.ts';
import { sha256Of } from '../../mesh/policy-in-effect.ts';
import { ListeningTime } from '../../node-status/listening-time.ts';
import { NodeStatuses } from '../../node-status/node-statuses.ts';
import { ReportWarnings } from '../../node-status/report-warnings.ts';
import { Looks } from '../../probes/looks.ts';
import { ProbeDesk } from '../../probes/probe-desk.ts';
import { ProbeMessages } from '../../probes/probe-messages.ts';
import { PolicyReach } from '../../views/policy-reach.ts';
import { Waiting } from '../../views/waiting.ts';
import { openAreas, type ServedAreas, serveAreas } from '../open-areas.ts';
import { showOverview } from './show-overview.ts';

const THEN = '2026-11-15T09:30:00Z';
const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const IN_PLATFORM = { tags: ['team:platform', 'surface:git', 'env:production'] };

function actorWith(role: BuiltInRole, scope: Scope): TokenActor {
  const permissions = new Set<Permission>(BUILT_IN_ROLES[role].permissions);
  const rights = { scope, role, permissions };
  const about = { state: 'active', expires: THEN, on_behalf_of: null, address: null } as const;
  return { kind: 'token', id: newId('token', 1), name: 'test', ...rights, ...about };
}

/** All areas, which nothing asks but for their summaries. */
function areasOf({ mesh }: TestFleet, statuses: NodeStatuses): ServedAreas {
  const policy = new PolicyReach();
  const waiting = new Waiting();
  const probes = new ProbeDesk(waiting, new ProbeMessages(mesh.journal, assert.ifError));
  const {
    areas,
    sections: _,
    ...opened
  } = openAreas({
    model: mesh.model,
    vault: mesh,
    reach: policy,
    wake: () => undefined,
  });
  return serveAreas(areas, {
    ...opened,
    mesh,
    statuses,
    policy,
    sessions: new NodeSessions(() => mesh.data_keys.all()),
    waiting,
    probes,
    looks: new Looks({ desk: probes, model: mesh.model, now: () => 0 }),
    warnings: new ReportWarnings({ log: openLog('coordinator', 'fatal'), metrics: new Metrics('mesh_coordinator') }),
    meta: {
      openapi: openApiDocument,
      reference: () => '',
      readiness: () => Promise.resolve({ ready: true, checks: [] }),
      metrics: () => Promise.resolve(''),
    },
    api_port: 7400,
    makes_authorities: false,
    tries_acme_client: () => false,
    signing: new Signing(),
    outbound: new Outbound({ networks: [] }),
    failed: assert.ifError,
  });
}

describe('the overview', () => {
  let fleet: TestFleet;
  let time: ListeningTime;
  let statuses: NodeStatuses;
  let areas: ServedAreas;
  const clock = new TestClock();
  beforeEach(async () => {
    fleet = await TestFleet.open();
    time = new ListeningTime(clock);
    statuses = new NodeStatuses(fleet.mesh, time);
    areas = areasOf(fleet, statuses);
  });
  afterEach(async () => {
    await areas.close();
    statuses.close();
    time.close();
    await fleet.close();
  });

  const now_ms = Date.now();
  const show = (role: BuiltInRole = 'owner', scope: Scope = WHOLE_MESH): Overview =>
    showOverview(fleet.mesh.model, areas.runtime.summaries(), { actor: actorWith(role, scope), now_ms });
  const said = (attention: readonly Attention[]) =>
    attention.map(({ kind, severity, subject }) => `${severity} ${kind} ${subject.name}`);

  async function operation(node: NodeId, change: Partial<OperationDocument>, asked_ms: number): Promise<void> {
    const body: OperationDocument = {
      kind: 'rekey',
      node,
      node_name: fleet.mesh.model.get('node', node)?.body.name ?? '',
      scope: WHOLE_MESH,
      state: 'requested',
      requested_by: refOf(COORDINATOR),
      requested_at: utc(asked_ms),
      requested_revision: 1,
      deadline_ms: asked_ms + HOUR_MS,
      delivered_at: null,
      verified_at: null,
      ended_at: null,
      reason: null,
      detail: {},
      before: {},
      ...change,
    };
    await fleet.write(put('operation', newId('operation', asked_ms), body));
  }

  it('of a healthy mesh has its figures, and nothing that needs attention', async () => {
    await fleet.relay('fra-1');
    statuses.proofs.note(fleet.witness, [{ name: 'fra-1', carries: true }]);
    await fleet.node('git-1');
    const { revision, ...rest } = show();
    assert.equal(revision, fleet.mesh.model.revision);
    assert.deepEqual(rest, {
      nodes: {
        total: 3, // with the one that measures
        by_state: { pending: 0, quarantined: 0, unreachable: 0, stale: 0, joining: 0, draining: 0, active: 3 },
        drifting: 0,
        pending: 0,
      },
      operations: { open: 0, failed_lately: 0 },
      policy: { version: 0, groups: 1, grants: 1, tests: 0, stale: 'keep' },
      explain: { checked: 0, disagreed: 0, unknown: 0 },
      relays: { total: 1, healthy: 1 },
      ingress: { total: 0, served: 0 },
      tokens: { active: 0, expiring: 0 },
      attention: [],
      attention_total: 0,
    });
  });

  it('names nodes that are offline, drifting, in quarantine, pending or have a wrong clock, and no removed one', async () => {
    const offline = await fleet.node('offline');
    const seen_ms = Date.parse(THEN) - 30_000;
    statuses.of(offline).heartbeat_ms = seen_ms;
    await fleet.stale(await fleet.node('stale'));
    await fleet.write(put('liveness', offline, { state: 'unreachable', since: THEN }));
    const adrift = await fleet.node('adrift');
    const drift = { since: THEN, sections: { acl: { since: THEN, reason: 'revision 3 is in effect, not 4' } } };
    await fleet.write(put('drift', adrift, drift));
    await fleet.node('new', { approved_at: null });
    await fleet.node('cut-off', { quarantined: { at: THEN, reason: 'stolen' } });
    statuses.of(await fleet.node('late')).clock_skew_s = -61.2;
    statuses.of(await fleet.node('nearly')).clock_skew_s = 59;
    await fleet.stale(await fleet.node('gone', { removed_at: THEN }));
    const { nodes, attention } = show();
    assert.deepEqual(said(attention), [
      'critical node_unreachable offline',
      'warning node_stale stale',
      'warning node_drifting adrift',
      'warning node_clock late',
      'warning node_pending new',
      'notice node_quarantined cut-off',
    ]);
    assert.equal(attention[0]?.title, 'Node offline is offline');
    assert.equal(attention[0]?.detail, `Last seen ${utc(seen_ms)}.`);
    assert.match(attention[2]?.detail ?? '', /acl: revision 3/);
    assert.match(attention[3]?.detail ?? '', /61 s behind that of the coordinator/);
    assert.match(attention[5]?.detail ?? '', /stolen/);
    assert.deepEqual([nodes.total, nodes.by_state.unreachable, nodes.drifting, nodes.pending], [7, 1, 1, 1]);
  });

  it('names operations that failed or timed out, until one of the kind succeeds', async () => {
    const node = await fleet.node('git-1');
    const ended = (state: OperationDocument['state'], ago_ms: number) => ({ state, ended_at: utc(now_ms - ago_ms) });
    await operation(node, { ...ended('failed', 2 * HOUR_MS), reason: 'no room' }, now_ms - 3 * HOUR_MS);
    await operation(node, { ...ended('timed_out', HOUR_MS), kind: 'drain' }, now_ms - 2 * HOUR_MS);
    await operation(node, { ...ended('failed', 25 * HOUR_MS), kind: 'retag' }, now_ms - 26 * HOUR_MS);
    await operation(node, { ...ended('cancelled', HOUR_MS), kind: 'undrain' }, now_ms - 2 * HOUR_MS);
    await operation(node, { kind: 'diagnose' }, now_ms - HOUR_MS);
    const before = show();
    assert.deepEqual(said(before.attention), [
      'warning operation_failed rekey git-1',
      'warning operation_failed drain git-1',
    ]);
    assert.equal(before.attention[0]?.detail, 'no room');
    assert.deepEqual(before.operations, { open: 1, failed_lately: 2 });
    await operation(node, ended('verified', HOUR_MS / 2), now_ms - HOUR_MS);
    assert.deepEqual(said(show().attention), ['warning operation_failed drain git-1']);
  });

  it('names relays, routes and ingresses that no node serves, before any single node', async () => {
    const relay = await fleet.relay('fra-1');
    await fleet.relay('drained', { draining: true, node: relay });
    const gateway = await fleet.node('gw-1', { offers: ['10.20.0.0/16'] });
    await fleet.node('gw-2', { routes_approved: ['10.30.0.0/16'] });
    await fleet.node('gw-3', { offers: ['10.40.0.0/16'], routes_approved: [] });
    await fleet.ingress(fleet.newIngressId());
    await fleet.ingress(fleet.newIngressId(), { name: 'resting', draining: true });
    assert.equal(fleet.providerOf('10.20.0.0/16'), gateway);
    await fleet.write(put('liveness', relay, { state: 'unreachable', since: THEN }));
    await fleet.stale(gateway);
    const { attention, relays, ingress } = show();
    assert.deepEqual(said(attention), [
      'critical relay_down fra-1',
      'critical ingress_unserved web',
      'critical ingress_without_targets web',
      'critical route_down 10.20.0.0/16',
      'critical node_unreachable on-fra-1',
      'warning route_down 10.30.0.0/16',
      'warning node_stale gw-1',
      'notice route_unapproved gw-3',
    ]);
    assert.deepEqual(
      [relays, ingress],
      [
        { total: 2, healthy: 0 },
        { total: 2, served: 0 },
      ],
    );
  });

  it('names tokens and grants that end within a week, though they were made for longer', async () => {
    const token = (name: string, days: number, made_ms: number, more: object = {}) => {
      const given = { name, scope: WHOLE_MESH, role: 'viewer', expires: utc(now_ms + days * DAY_MS) };
      const document = newToken({ ...given, created_by: refOf(COORDINATOR), secret_sha256: '' }, made_ms);
      return put('token', newId('token', made_ms), { ...document, ...more });
    };
    const old_ms = now_ms - 30 * DAY_MS;
    await fleet.write(
      token('ending', 6, old_ms),
      token('lasting', 8, old_ms),
      token('brief', 1, now_ms),
      token('rotated', 6, old_ms, { retires_at: utc(now_ms + DAY_MS) }),
      token('Ada', 6, old_ms, { on_behalf_of: ADA }),
    );
    const grant = (to: string, days: number) => ({
      from: 'all',
      to,
      allow: ['*'],
      expires: utc(now_ms + days * DAY_MS),
    });
    const text = JSON.stringify({ groups: { all: ['*'], a: ['*'], b: ['*'] }, grants: [grant('a', 3), grant('b', 8)] });
    const policy = { version: 4, text, sha256: sha256Of(text), created_at: THEN, created_by: refOf(COORDINATOR) };
    await fleet.write(put('policy', 'mesh', { ...policy, note: null, restored_from: null, lapsed: [] }));
    const { attention, tokens } = show();
    assert.deepEqual(said(attention), ['warning token_expiring ending', 'warning grant_expiring all -> a']);
    assert.deepEqual(tokens, { active: 3, expiring: 1 });
  });

  it('names host rules that have no effect on nodes that are there', async () => {
    await fleet.node('git-1');
    const rule = (id: string, action: 'accept' | 'drop') => ({
      id,
      action,
      direction: 'in' as const,
      interface: 'any',
      protocol: 'tcp' as const,
      ports: ['22'],
      nodes: ['*'],
      enabled: true,
      note: `the ${id}`,
      created_at: THEN,
      created_by: refOf(COORDINATOR),
      revision: 1,
    });
    await fleet.write(put('firewall', 'mesh', { rules: [rule('first', 'accept'), rule('second', 'drop')] }));
    const { attention } = show();
    assert.deepEqual(said(attention), ['notice firewall_finding the second']);
    assert.match(attention[0]?.detail ?? '', /^Rule “the second” .* rule “the first” /);
  });

  it('leaves out what lies outside the scope of the caller, and what the caller may not read', async () => {
    await fleet.stale(await fleet.node('elsewhere', { tags: ['team:other'] }), await fleet.node('ours', IN_PLATFORM));
    await fleet.ingress(fleet.newIngressId(), { scope: { ...PLATFORM, team: 'other' } });
    const narrow = show('owner', PLATFORM);
    assert.deepEqual(said(narrow.attention), ['warning node_stale ours']);
    assert.deepEqual([narrow.nodes.total, narrow.ingress?.total, narrow.policy], [1, 0, null]);
    const monitoring = show('monitoring');
    assert.deepEqual([monitoring.policy, monitoring.tokens], [null, null]);
    const enroller = show('enroller');
    assert.deepEqual([enroller.operations, enroller.relays, enroller.ingress], [null, null, null]);
    assert.ok(enroller.attention.every(({ subject }) => subject.kind === 'node'));
  });

  it('names the most urgent when there are too many, and counts the rest', async () => {
    const nodes = Array.from({ length: 60 }, (_, index) => fleet.newNode(`n${index}`));
    await fleet.write(...nodes.flatMap(({ writes }) => writes));
    const since = (index: number) => utc(Date.parse(THEN) + index * 1000);
    const marks = nodes.map(({ id }, index) => {
      const state = index < 5 ? ('unreachable' as const) : ('stale' as const);
      return put('liveness', id, { state, since: since(60 - index) });
    });
    await fleet.write(...marks);
    const { attention, attention_total } = show();
    assert.deepEqual([attention.length, attention_total], [MAX_ATTENTION, 60]);
    assert.deepEqual(
      attention.slice(0, 7).map(({ subject }) => subject.name),
      ['n4', 'n3', 'n2', 'n1', 'n0', 'n59', 'n58'],
    );
  });
});
