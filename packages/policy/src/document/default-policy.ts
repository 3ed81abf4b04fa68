/** What a fresh installation starts with: written for readers who have never seen a policy. */
export const DEFAULT_POLICY_TEXT = `// Who may reach what in this mesh. Whatever no grant below allows is denied.
// This is JSON with comments; a comma after the last entry is fine.
{
  // A group is a name for nodes. A node belongs when one of the selectors matches:
  //   "*"                      every node
  //   "tag:role:dev"           nodes with the tag role:dev
  //   "node:bastion-1"         the node of that name
  //   "scope:platform/git/*"   nodes of that team, surface and environment; * is any
  //   "group:developers"       nodes of another group
  "groups": {
    "everyone": ["*"],
  },

  // A grant lets the nodes of one group reach those of another. For example, to allow SSH for developers:
  //   { "from": "developers", "to": "git-servers", "allow": ["tcp:22"] }
  "grants": [
    {
      "from": "everyone",
      "to": "everyone",
      "allow": ["icmp"],
      // Only between nodes of the same team, surface and environment.
      "within": "boundary",
      "note": "Nodes of one boundary can ping each other. Nothing else is open until a grant allows it.",
    },
  ],

  // What must and must not work. A policy that fails one of its tests is refused. For example:
  //   { "from": "laptop-3", "allow": ["git-1:tcp:22"], "deny": ["git-1:tcp:5432"] }
  "tests": [],

  // "keep": a node whose heartbeat is overdue stays known to its peers. "drop": they drop it until its next heartbeat.
  "stale": "keep",
}
`;
