import type { Grant, PolicyDocument, PolicyNode } from '@meshwork/policy';

const TEAMS = Array.from({ length: 20 }, (_, index) => `team-${index}`);
const ROLES = ['web', 'api', 'db', 'queue', 'ci', 'desk'];
const ENVIRONMENTS = ['production', 'staging', 'development'];
/** Who asks whom inside a team. */
const CALLS = [
  'web api tcp:8080',
  'web queue tcp:5672',
  'api db tcp:5432',
  'api queue tcp:5672',
  'queue api tcp:8080',
  'ci web tcp:22',
  'ci api tcp:22',
  'ci db tcp:22',
  'desk web tcp:443',
  'desk api tcp:8080',
  'desk ci tcp:443',
  'desk db tcp:5432',
  'web web tcp:7946',
  'api api tcp:7946',
  'db db tcp:5432',
  'queue queue tcp:4369',
  'ci queue tcp:5672',
  'desk queue tcp:15672',
  'ci ci tcp:443',
  'web db tcp:6379',
];

const named = (team: string, role: string) => `${team}.${role}`;

/** Each role of each team, each team by environment, and what reaches over teams: 200 groups in all. */
function groups(): Record<string, readonly string[]> {
  const all: Record<string, readonly string[]> = { everyone: ['*'], monitoring: ['tag:role:team-0-ci', 'node:node-7'] };
  for (const team of TEAMS) {
    for (const role of ROLES) all[named(team, role)] = [`tag:role:${team}-${role}`];
    for (const environment of ENVIRONMENTS) all[named(team, environment)] = [`scope:${team}/*/${environment}`];
  }
  for (const role of ROLES) all[`all.${role}`] = TEAMS.map((team) => `group:${named(team, role)}`);
  for (const environment of ENVIRONMENTS) all[`all.${environment}`] = [`scope:*/*/${environment}`];
  for (let index = 0; index < 9; index++) all[`pair-${index}`] = [`group:team-${index}.desk`, `group:all.ci`];
  return all;
}

/** 400 calls within teams, 60 to the next team, 20 into networks behind the mesh, 20 for everybody. */
function grants(): Grant[] {
  const all: Grant[] = [];
  for (const [index, team] of TEAMS.entries()) {
    for (const call of CALLS) {
      const [from = '', to = '', allow = ''] = call.split(' ');
      const grant = { from: named(team, from), to: named(team, to), allow: [allow] };
      all.push(from === 'desk' ? { ...grant, when: { fresh: true, agent_version: '1.4.0' } } : grant);
    }
    const next = TEAMS[(index + 1) % TEAMS.length] ?? team;
    for (const environment of ENVIRONMENTS) {
      all.push({ from: named(team, environment), to: named(next, 'api'), allow: ['tcp:443'], within: 'boundary' });
    }
    all.push({ from: named(team, 'desk'), to: `10.${index}.0.0/16`, allow: ['tcp:443'], via: named(team, 'queue') });
    const [from, to] = index % 2 === 0 ? ['monitoring', 'everyone'] : ['everyone', 'monitoring'];
    all.push({ from, to, allow: [`tcp:${9100 + index}`, 'icmp'] });
  }
  return all;
}

/** A policy, and the nodes that it is about. */
export interface PolicyMesh {
  readonly document: PolicyDocument;
  /** Another turn is the same node with other tags. */
  node(index: number, turn?: number): PolicyNode;
}

/** A company of twenty teams with 200 groups and 500 grants, with every kind of condition among them. */
export const COMPANY: PolicyMesh = {
  document: { groups: groups(), grants: grants(), tests: [], stale: 'keep' },
  node: companyNode,
};

/** Everybody may do everything. */
export const OPEN: PolicyMesh = {
  document: {
    groups: { everyone: ['*'] },
    grants: [{ from: 'everyone', to: 'everyone', allow: ['*'] }],
    tests: [],
    stale: 'keep',
  },
  node: companyNode,
};

/** Three of 200 tags each, strewn so that hardly two nodes are alike: the worst case, in which cohorts save nothing. */
export const STREWN: PolicyMesh = {
  document: {
    groups: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`g${index}`, [`tag:t${index}`]])),
    grants: Array.from({ length: 500 }, (_, index) => ({
      from: `g${strewn(index, 1)}`,
      to: `g${strewn(index, 2)}`,
      allow: [`tcp:${1 + strewn(index, 3)}`],
    })),
    tests: [],
    stale: 'keep',
  },
  node: (index, turn = 0) => ({
    ...companyNode(index),
    tags: [4, 5, 6].map((salt) => `t${strewn(index, salt + 3 * turn)}`),
  }),
};

/** One of 200, the same for the same numbers. */
function strewn(index: number, salt: number): number {
  const mixed = Math.imul(Math.imul(index + 1, 2_654_435_761) ^ Math.imul(salt, 2_246_822_519), 3_266_489_917);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % 200;
}

function companyNode(index: number, turn = 0): PolicyNode {
  const team = TEAMS[index % TEAMS.length] ?? '';
  const role = ROLES[(Math.floor(index / 20) + turn) % ROLES.length] ?? '';
  const environment = ENVIRONMENTS[Math.floor(index / 120) % ENVIRONMENTS.length] ?? '';
  return {
    id: `node_01jcqv${String(index).padStart(20, '0')}`,
    name: `node-${index}`,
    tags: [`team:${team}`, `environment:${environment}`, `role:${team}-${role}`, `rack:${index % 400}`],
    boundary: { team, surface: '*', environment },
    fresh: index % 50 !== 0,
    agent_version: index % 9 === 0 ? '1.3.2' : '1.10.0',
    provides: role === 'queue' && index % 7 === 0 ? [`10.${index % TEAMS.length}.8.0/21`] : [],
    shares: [],
  };
}
