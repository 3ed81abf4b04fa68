/** Ingresses, nodes and a policy in memory, and what gateways are sent of them. */
import assert from 'node:assert/strict';
import { type IngressAssignment, type NodeId, SECTION_NAMES, type Service, WHOLE_MESH } from '@meshwork/contract';
import { targetsOf } from '../src/areas/ingress/ingress-targets.ts';
import { openAreas } from '../src/areas/open-areas.ts';
import type { IngressDocument } from '../src/kinds/ingress.ts';
import type { NodeDocument, ReportDocument } from '../src/kinds/nodes.ts';
import { Model, type Put } from '../src/mesh/model.ts';
import { POLICY_ID } from '../src/mesh/policy-in-effect.ts';
import { PolicyReach } from '../src/views/policy-reach.ts';
import { testVault } from './test-vault.ts';

export const THEN = '2026-11-15T09:00:00Z';

/** A mesh in memory: what is put into it, and who was woken by that. */
export class IngressWorld {
  readonly model = new Model();
  readonly woken = new Set<NodeId>();
  readonly reach = new PolicyReach();
  readonly opened = openAreas({
    model: this.model,
    vault: testVault(this.model),
    reach: this.reach,
    wake: (node) => void this.woken.add(node),
  });

  commit(...puts: Put[]): void {
    this.model.apply(this.model.revision + 1, puts);
  }

  node(id: string, more: Partial<NodeDocument> = {}, services: readonly Service[] = []): NodeId {
    const node = `node_${id}` as NodeId;
    this.commit(
      { kind: 'node', id: node, body: nodeDocument(id, more) },
      { kind: 'report', id: node, body: report(services) },
    );
    return node;
  }

  change(id: NodeId, change: Partial<NodeDocument>): void {
    const node = this.model.get('node', id);
    assert.ok(node);
    this.commit({ kind: 'node', id, body: { ...node.body, ...change } });
  }

  report(id: NodeId, services: readonly Service[]): void {
    this.commit({ kind: 'report', id, body: report(services) });
  }

  ingress(id: string, more: Partial<IngressDocument> = {}, ...gateways: readonly NodeId[]): void {
    const body: IngressDocument = {
      name: 'web',
      hostname: 'web.example.net',
      service: 'web',
      scope: WHOLE_MESH,
      gateways: ['tag:role:gateway'],
      replicas: 1,
      draining: false,
      created_at: THEN,
      ...more,
    };
    const placed = gateways.map((node) => ({ node, draining: false }));
    this.commit({ kind: 'ingress', id, body }, { kind: 'placement', id, body: { gateways: placed } });
  }

  policy(document: object): void {
    const meta = { version: 1, sha256: '', created_at: THEN, created_by: SYSTEM, note: null, restored_from: null };
    this.commit({ kind: 'policy', id: POLICY_ID, body: { ...meta, text: JSON.stringify(document), lapsed: [] } });
  }

  /** What a gateway is sent, as an agent has it that holds nothing. */
  sent(gateway: NodeId): readonly IngressAssignment[] {
    const node = this.model.get('node', gateway);
    assert.ok(node);
    return JSON.parse(`{${this.opened.views.changesSince(node, 0)}}`).ingress;
  }

  /** Who is woken by a change, of those that were sent something before. */
  wokenBy(change: () => void, ...nodes: readonly NodeId[]): readonly NodeId[] {
    for (const node of nodes) this.opened.views.of(node);
    this.woken.clear();
    const before = new Map(nodes.map((node) => [node, JSON.stringify(this.sent(node))]));
    change();
    const changed = nodes.filter((node) => JSON.stringify(this.sent(node)) !== before.get(node));
    for (const node of changed) assert.ok(this.woken.has(node), `${node} was not woken`);
    return nodes.filter((node) => this.opened.views.of(node).changedAt('ingress') === this.model.revision);
  }

  targets(ingress: string) {
    const body = this.model.get('ingress', ingress)?.body;
    assert.ok(body);
    const gateways = (this.model.get('placement', ingress)?.body.gateways ?? []).map(({ node }) => node);
    return targetsOf(this.model, { directory: this.opened.directory, reach: this.reach }, { gateways, ingress: body });
  }

  /** By name, with what keeps requests from them. */
  problems(ingress: string): Readonly<Record<string, string | null>> {
    return Object.fromEntries(this.targets(ingress).map(({ name, problem }) => [name, problem]));
  }
}

const SYSTEM = { kind: 'system', id: null, name: 'test' } as const;

function nodeDocument(id: string, more: Partial<NodeDocument>): NodeDocument {
  return {
    name: id,
    identity_key: id,
    wireguard_key: id,
    tags: [],
    address: `100.64.0.${id.length}`,
    address6: `fd00::${id.length}`,
    routes_approved: [],
    pinned_relay: null,
    created_at: THEN,
    created_by: SYSTEM,
    approved_at: THEN,
    quarantined: null,
    draining_since: null,
    removed_at: null,
    session_epoch: 1,
    ...more,
  };
}

function report(services: readonly Service[]): ReportDocument {
  const abilities = { sections: [...SECTION_NAMES], engines: {} };
  return { endpoints: [], services, routes_offered: [], agent_version: null, abilities, boots: ['boot'] };
}

/** A service `web` on tcp port 3000, unless more is said. */
export function web(more: Partial<Service> = {}): Service {
  return { name: 'web', protocol: 'tcp', port: 3000, ...more };
}
