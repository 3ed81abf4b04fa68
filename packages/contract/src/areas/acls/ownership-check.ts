/** Findings about owners: tags that a new policy takes from other boundaries, and values that their own boundary could not set. */

import { named } from '../../named.ts';
import { Scope } from '../../scope.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';

/** Subjects that are named in one finding; the rest are counted. */
export const MAX_SUBJECTS = 20;

const Subject = Type.Object(
  {
    kind: Type.Enum(['node', 'ingress', 'dns'], { description: 'What kind of thing.' }),
    id: Type.String({ description: 'Which one.' }),
    name: Type.String({ description: 'What people call it.' }),
  },
  { additionalProperties: false },
);
const Subjects = Type.Array(Subject, { description: `The first ${MAX_SUBJECTS} of them, in order of name.` });

export const PolicyWarning = named(
  'PolicyWarning',
  Type.Object(
    {
      pointer: Type.String({ description: 'JSON pointer into the policy. Empty: the policy as a whole.' }),
      tag: Type.String({ description: 'The tag that it is about.' }),
      detail: Type.String({ description: 'The finding, in a sentence.' }),
      count: Type.Integer({ description: 'Nodes that it concerns.' }),
      nodes: Subjects,
    },
    {
      additionalProperties: false,
      description: 'The policy gives a meaning to a tag that nodes outside the boundary of its owners carry already.',
    },
  ),
);
export type PolicyWarning = Static<typeof PolicyWarning>;
export const PolicyWarnings = (description: string) => Type.Optional(Type.Array(PolicyWarning, { description }));

export const OwnershipFinding = named(
  'OwnershipFinding',
  Type.Object(
    {
      kind: Type.Enum(['tag', 'name', 'domain'], { description: 'What has an owner.' }),
      value: Type.String({ description: 'The tag, the name of the node, or the host name.' }),
      boundary: Scope,
      count: Type.Integer({ description: 'Nodes, ingresses or DNS records of that boundary that have it.' }),
      subjects: Subjects,
      detail: Type.String({ description: 'Why a token of the boundary could not set it today, and who may.' }),
      remedy: Type.String({ description: 'What to add to the policy, or to change.' }),
    },
    { additionalProperties: false },
  ),
);
export type OwnershipFinding = Static<typeof OwnershipFinding>;

export const OwnershipCheck = named(
  'OwnershipCheck',
  Type.Object(
    { findings: Type.Array(OwnershipFinding, { description: 'Empty: every boundary could set what it has.' }) },
    { additionalProperties: false },
  ),
);
export type OwnershipCheck = Static<typeof OwnershipCheck>;

const subject = { kind: 'node', id: exampleNode.id, name: exampleNode.name } as const;

export const exampleWarning: PolicyWarning = {
  pointer: '/tag_owners/tag:role:dba',
  tag: 'role:dba',
  detail: '1 node outside team beta carries the tag role:dba.',
  count: 1,
  nodes: [subject],
};
export const exampleOwnershipCheck: OwnershipCheck = {
  findings: [
    {
      kind: 'tag',
      value: 'role:dba',
      boundary: { team: 'platform', surface: 'git', environment: 'production' },
      count: 1,
      subjects: [subject],
      detail: 'The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.',
      remedy: 'Add "scope:platform/git/production" to "tag:role:dba" in tag_owners, or take the tag off the node.',
    },
  ],
};
