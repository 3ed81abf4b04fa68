import { Engine, type ExplainFacts, explain, type NodeFacts, type PolicyNode } from '@meshwork/policy';
import { median, type Row } from '../measure.ts';
import { COMPANY } from '../policy-meshes.ts';

const NODES = 10_000;
const QUESTIONS = 20_000;
const ROUNDS = 5;
const PORTS = [22, 443, 5432, 8080, 9101];
/** Numbers without a common factor with that of the nodes: each question is about other nodes. */
const [STEP, FAR_STEP] = [7919, 104_729];

/** Why one node can or cannot reach another, in a large mesh with many grants. */
export async function explainSuite(): Promise<Row[]> {
  const nodes = Array.from({ length: NODES }, (_, index) => COMPANY.node(index));
  const engine = Engine.compile({ document: COMPANY.document, nodes, lapsed: new Set() });
  const facts = nodes.map(factsOf);
  const questions = Array.from({ length: QUESTIONS }, (_, index) => questionOf(engine, facts, index));
  const row = (what: string, some: readonly ExplainFacts[], aim?: string): Row => {
    const value = answersPerSecond(some);
    return { what: `${what}, ${some.length.toLocaleString('en')}`, value, unit: '/s', ...(aim ? { aim } : {}) };
  };
  const verdicts = Map.groupBy(questions, (question) => explain(question).verdict);
  return [
    row(`questions in a mesh of ${NODES.toLocaleString('en')} nodes`, questions, '≥ 20,000/s'),
    ...[...verdicts].map(([verdict, some]) => row(`  those that are ${verdict}`, some)),
  ];
}

function answersPerSecond(questions: readonly ExplainFacts[]): number {
  for (const question of questions) explain(question); // warm before anything counts
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (const question of questions) explain(question);
    return (questions.length / (performance.now() - startedAt)) * 1000;
  });
  return median(rounds);
}

const SEEN = { path: 'direct', handshake_age_s: 40, heard: null, endpoint: null } as const;
const LINK = { near: SEEN, far: SEEN, near_relay: null, far_relay: null };

function questionOf(engine: Engine, facts: readonly NodeFacts[], index: number): ExplainFacts {
  const source = facts[(index * STEP) % NODES] as NodeFacts;
  const node = facts[(index * FAR_STEP + 1) % NODES] as NodeFacts;
  const port = { protocol: 'tcp', port: PORTS[index % PORTS.length] ?? 22 } as const;
  return {
    question: { from: source.name, to: node.name, port },
    engine,
    whole_policy: true,
    source,
    destination: { kind: 'node', node, families: [4], link: LINK },
  };
}

const DONE = { in_sync: true, applied_revision: 8, desired_revision: 8, error: null, reason: null };

function factsOf({ id, name, tags, boundary, fresh, agent_version }: PolicyNode, index: number): NodeFacts {
  return {
    kind: 'node',
    id,
    name,
    address: `100.64.${index >> 8}.${index & 255}`,
    address6: null,
    state: fresh ? 'active' : 'stale',
    last_seen_s_ago: 4,
    boundary,
    tags,
    agent_version,
    applied: { self: DONE, peers: DONE, acl: DONE, firewall: DONE },
    firewall: [],
    interface: 'mesh0',
    services: [{ name: 'ssh', protocol: 'tcp', port: 22 }],
    accept_routes: null,
    denied: null,
    looked: null,
    connection_lost_s_ago: null,
    foreign: [],
    underlay: null,
  };
}
