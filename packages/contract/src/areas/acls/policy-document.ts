/** A policy as people write it. The coordinator reads the text itself, to say by line and column what is wrong with it. */

import { named } from '../../named.ts';
import { Strict } from '../../operation.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';

const GROUP_NAME_PATTERN = '^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$';
const GroupName = (description: string) => Type.String({ description });
const Owners = (pattern: string, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern }), Type.Array(Type.String()), { additionalProperties: false, description }),
  );
const Targets = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const Grant = named(
  'PolicyGrant',
  Strict(
    {
      from: GroupName('Name of the source group.'),
      to: GroupName('Name of the destination group, or a network behind the mesh: `10.20.0.0/16`.'),
      allow: Type.Array(Type.String(), {
        minItems: 1,
        description: '`tcp:22`, `udp:53`, `tcp:8000-8999`, `tcp:*`, `icmp`, or `*` for everything.',
      }),
      via: Type.Optional(
        GroupName('With a network: the group of nodes that may forward to it. Absent: any node that does.'),
      ),
      within: Type.Optional(
        Type.Literal('boundary', { description: 'Only between nodes of the same team, surface and environment.' }),
      ),
      when: Type.Optional(
        Strict(
          {
            fresh: Type.Optional(Type.Literal(true, { description: 'Its heartbeats are on time.' })),
            agent_version: Type.Optional(Type.String({ description: 'Its agent is at least of this version.' })),
            tag: Type.Optional(Type.String({ description: 'It has this tag.' })),
          },
          { description: 'What has to be true of the source, all of it.' },
        ),
      ),
      expires: Type.Optional(Timestamp('From then on it counts for nothing.')),
      note: Type.Optional(Type.String({ description: 'For people.' })),
    },
    { description: 'Who may reach what.' },
  ),
);

const PolicyTest = named(
  'PolicyTest',
  Strict(
    {
      from: Type.String({ description: 'Name of a node, or `group:NAME` for every member.' }),
      allow: Targets('Must be possible: `git-1:tcp:22`, `group:git-servers:icmp`, `10.20.1.1:tcp:443`.'),
      deny: Targets('Must not be possible.'),
    },
    { description: 'What must and must not be possible.' },
  ),
);

export const PolicyDocument = named(
  'PolicyDocument',
  Strict(
    {
      groups: Type.Optional(
        Type.Record(Type.String({ pattern: GROUP_NAME_PATTERN }), Type.Array(Type.String()), {
          additionalProperties: false,
          description:
            'By name, who belongs: `*`, `tag:role:dev`, `node:bastion-1`, `scope:platform/git/*`, `group:developers`.',
        }),
      ),
      grants: Type.Optional(Type.Array(Grant, { description: 'What no grant allows is denied.' })),
      tests: Type.Optional(Type.Array(PolicyTest, { description: 'A policy whose tests fail is refused.' })),
      stale: Type.Optional(
        Type.Enum(['keep', 'drop'], {
          description:
            'Whether peers keep a node whose heartbeat is overdue, or drop it until the next heartbeat. Absent: keep.',
        }),
      ),
      tag_owners: Owners(
        '^(?:tag|node):[a-z0-9][a-z0-9._:*-]*$',
        'By tag (`tag:role:dba`, `tag:role:*`) or name of a node (`node:bastion-1`), who may put it on or take it: `scope:beta/*/*`, or `group:NAME` for a group of scopes. Tokens of the whole mesh always may. Absent: no entries.',
      ),
      domain_owners: Owners(
        '^(?:\\*|(?:\\*\\.)?[a-z0-9][a-z0-9.-]*)$',
        'By host name (`shop.example.com`, `*.beta.example.com`, `*`; the most specific one counts), who may use it for an ingress, as in `tag_owners`. Absent: no entries.',
      ),
    },
    { description: 'A policy. An empty one denies everything.' },
  ),
);
export type PolicyDocument = Static<typeof PolicyDocument>;

export const examplePolicyText = `{
  "groups": { "developers": ["tag:role:dev", "node:bastion-1"], "git-servers": ["tag:role:git"] },
  // Until the move is over.
  "grants": [{ "from": "developers", "to": "git-servers", "allow": ["tcp:22", "icmp"], "expires": "2027-01-01T00:00:00Z" }],
  "tests": [{ "from": "laptop-3", "allow": ["git-1:tcp:22"], "deny": ["git-1:tcp:5432"] }],
  "stale": "drop"
}
`;
export const examplePolicyDocument: PolicyDocument = {
  groups: { developers: ['tag:role:dev', 'node:bastion-1'], 'git-servers': ['tag:role:git'] },
  grants: [{ from: 'developers', to: 'git-servers', allow: ['tcp:22', 'icmp'], expires: '2027-01-01T00:00:00Z' }],
  tests: [{ from: 'laptop-3', allow: ['git-1:tcp:22'], deny: ['git-1:tcp:5432'] }],
  stale: 'drop',
};
