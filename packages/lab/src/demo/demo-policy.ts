import { DEMO_CAST, NETWORKS } from './roster.ts';

/** Who may reach what in the demo: something allowed, something denied, and a test for each. */
export const DEMO_POLICY = `// Who may reach what. Whatever no grant allows is denied.
{
  "groups": {
    "everyone": ["*"],
    "laptops": ["tag:role:laptop"],
    "git": ["tag:role:git"],
    "gateways": ["tag:role:gateway"],
    "runners": ["tag:role:ci"],
    "shops": ["tag:role:web"],
    "databases": ["tag:role:db"],
    "loaders": ["tag:role:etl"],
    "warehouses": ["tag:role:warehouse"],
  },
  "grants": [
    { "from": "everyone", "to": "everyone", "allow": ["icmp"], "within": "boundary" },
    { "from": "laptops", "to": "git", "allow": ["tcp:22", "tcp:443"] },
    { "from": "runners", "to": "git", "allow": ["tcp:22"], "when": { "fresh": true } },
    // What people outside reach through an ingress.
    { "from": "gateways", "to": "git", "allow": ["tcp:443"], "within": "boundary" },
    { "from": "gateways", "to": "shops", "allow": ["tcp:443"], "within": "boundary" },
    // A shop of one environment never reaches the database of another.
    { "from": "shops", "to": "databases", "allow": ["tcp:5432"], "within": "boundary" },
    { "from": "loaders", "to": "warehouses", "allow": ["tcp:9440"], "within": "boundary" },
${Object.keys(NETWORKS)
  .map(
    (network) => `    { "from": "laptops", "to": "${network}", "allow": ["tcp:443", "icmp"], "within": "boundary" },`,
  )
  .join('\n')}
  ],
  "tests": [
    { "from": "${DEMO_CAST.laptop}", "allow": ["${DEMO_CAST.server}:tcp:22"] },
    { "from": "group:laptops", "deny": ["group:databases:tcp:5432"] },
  ],
  // Who may put a tag on a node. Tags that hold within a boundary, such as role:db, need no owner.
  "tag_owners": {
    "tag:role:laptop": ["scope:platform/*/*", "scope:shop/*/*", "scope:data/*/*"],
    "tag:role:git": ["scope:platform/*/*"],
    "tag:role:ci": ["scope:platform/*/*"],
  },
  // Who may use a host name for an ingress.
  "domain_owners": {
    "git.example.net": ["scope:platform/*/*"],
    "shop.example.net": ["scope:shop/*/*"],
  },
}
`;
