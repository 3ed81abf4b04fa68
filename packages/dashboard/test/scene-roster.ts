/** The nodes of the mesh that the pages show. */
import type { Service } from '@meshwork/contract';

interface CastNode {
  readonly name: string;
  readonly tags: readonly string[];
  readonly services?: readonly Service[];
  readonly routes?: readonly string[];
}

/** Nodes with a problem, or not approved yet. */
export const SILENT = 'etl-1';
export const DRIFTING = 'stage-web-1';
export const PENDING = 'laptop-zoe';
export const NETWORK = '10.20.0.0/16';
export const RELAY = 'fra-1';
export const OTHER_RELAY = 'ams-1';

const tags = (role: string, team: string, env = 'production') => [`role:${role}`, `team:${team}`, `env:${env}`];
const tcp = (name: string, port: number): Service => ({ name, protocol: 'tcp', port, health: 'passing' });
const GIT = [tcp('git-ssh', 22), tcp('git-http', 443)];

/** Nodes join in this order: slow ones first, the one that waits for approval last. */
export const ROSTER: readonly CastNode[] = [
  { name: SILENT, tags: tags('etl', 'data') },
  { name: DRIFTING, tags: tags('web', 'shop', 'staging'), services: [tcp('shop-web', 443)] },
  { name: 'relay-fra', tags: tags('relay', 'platform') },
  { name: 'gw-1', tags: tags('gateway', 'platform'), routes: [NETWORK] },
  { name: 'edge-1', tags: tags('edge', 'platform') },
  { name: 'git-1', tags: tags('git', 'platform'), services: GIT },
  { name: 'git-2', tags: tags('git', 'platform'), services: GIT },
  { name: 'ci-1', tags: tags('ci', 'platform'), services: [tcp('runner', 8093)] },
  { name: 'web-1', tags: tags('web', 'shop'), services: [tcp('shop-web', 443)] },
  { name: 'db-1', tags: tags('db', 'shop'), services: [tcp('postgres', 5432)] },
  { name: 'laptop-ana', tags: tags('laptop', 'platform') },
  { name: 'laptop-ben', tags: tags('laptop', 'shop') },
  { name: PENDING, tags: tags('laptop', 'data') },
];

export const POLICY = `// Who may reach what. Whatever no grant allows is denied.
{
  "groups": {
    "everyone": ["*"],
    "laptops": ["tag:role:laptop"],
    "git": ["tag:role:git"],
    "runners": ["tag:role:ci"],
    "shops": ["tag:role:web"],
    "databases": ["tag:role:db"],
  },
  "grants": [
    { "from": "everyone", "to": "everyone", "allow": ["icmp"], "within": "boundary" },
    { "from": "laptops", "to": "git", "allow": ["tcp:22", "tcp:443"] },
    // Runners fetch, and only while they are heard of.
    { "from": "runners", "to": "git", "allow": ["tcp:22"], "when": { "fresh": true } },
    { "from": "shops", "to": "databases", "allow": ["tcp:5432"], "within": "boundary" },
    { "from": "laptops", "to": "${NETWORK}", "allow": ["tcp:443"] },
  ],
  "tests": [
    { "from": "laptop-ana", "allow": ["git-1:tcp:22"] },
    { "from": "group:runners", "deny": ["group:databases:tcp:5432"] },
  ],
}
`;
