/** What the coordinator stores of a policy, and what it answers about one that was sent. */

import { ActorRef } from '../../actor.ts';
import { FieldError } from '../../errors.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { PolicyWarnings } from './ownership-check.ts';
import { examplePolicyDocument, examplePolicyText, PolicyDocument } from './policy-document.ts';

const version = {
  version: Type.Integer({ minimum: 0, description: 'Counts up with each change. 0: what a new mesh starts with.' }),
  created_at: maybe(Timestamp('When it was written. Null: it is the policy that a new mesh starts with.')),
  created_by: maybe(ActorRef, 'Who wrote it. Null: it is the policy that a new mesh starts with.'),
  note: maybe(Type.String(), 'Why, in the words of its author. Null: no note was given.'),
  restored_from: maybe(Type.Integer(), 'The version it was restored from. Null: it is new.'),
  sha256: Type.String({ description: 'Of the text, in hexadecimal.' }),
  groups: Type.Integer({ description: 'How many groups it has.' }),
  grants: Type.Integer({ description: 'How many grants it has.' }),
};
export const PolicyVersion = named('PolicyVersion', Type.Object(version, { additionalProperties: false }));
export type PolicyVersion = Static<typeof PolicyVersion>;

const text = {
  text: Type.String({ description: 'As it was written, with its comments.' }),
  document: PolicyDocument,
};
export const PolicyVersionWithText = named(
  'PolicyVersionWithText',
  Type.Object({ ...version, ...text }, { additionalProperties: false }),
);
export type PolicyVersionWithText = Static<typeof PolicyVersionWithText>;

export const Policy = named(
  'Policy',
  Type.Object(
    {
      ...version,
      ...text,
      lapsed: Type.Array(Type.Integer(), {
        description: 'Places of the grants in the document, from 0, that have expired and count for nothing.',
      }),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
      warnings: PolicyWarnings('Only in the answer to a write: what is worth a look now. Absent: nothing.'),
    },
    { additionalProperties: false },
  ),
);
export type Policy = Static<typeof Policy>;

export const FailedTest = named(
  'FailedTest',
  Type.Object(
    {
      test: Type.Integer({ description: 'Its place in `tests`, from 0.' }),
      from: Type.String({ description: 'The source, as the test names it.' }),
      to: Type.String({ description: 'The destination and port, as the test names them.' }),
      expected: Type.Enum(['allow', 'deny'], { description: 'What the test demands.' }),
      detail: Type.String({ description: 'What happens instead, and for which nodes.' }),
    },
    { additionalProperties: false },
  ),
);
export type FailedTest = Static<typeof FailedTest>;

export const Validation = named(
  'PolicyValidation',
  Type.Object(
    {
      valid: Type.Boolean({ description: 'Whether it could be put into effect.' }),
      problems: Type.Array(FieldError, { description: 'What is wrong with the text, by line and column.' }),
      failed_tests: Type.Array(FailedTest, { description: 'Tests in it that do not hold, with the nodes there are.' }),
      warnings: PolicyWarnings('What is worth a look, although it is allowed. Absent: nothing.'),
    },
    { additionalProperties: false },
  ),
);
export type Validation = Static<typeof Validation>;

const Flow = named(
  'PolicyFlow',
  Type.Object(
    {
      from: Type.String({ description: 'The group that it comes from.' }),
      to: Type.String({ description: 'The group, or the network, that it goes to.' }),
      allow: Type.String({ description: 'What of it: `tcp:22`, `icmp`, …' }),
      pairs: Type.Integer({
        description: 'Pairs of nodes, from source to destination, that it affects. 0: none at present.',
      }),
    },
    { additionalProperties: false },
  ),
);
export type PolicyFlow = Static<typeof Flow>;

/** More nodes than this are counted and not named. */
export const MAX_TOUCHED = 1000;
export const Preview = named(
  'PolicyPreview',
  Type.Object(
    {
      opened: Type.Array(Flow, { description: 'What would be possible and is not now.' }),
      closed: Type.Array(Flow, { description: 'What is possible now and would not be.' }),
      nodes_touched: Type.Integer({ description: 'Nodes whose view would change.' }),
      nodes: Type.Array(Type.Object({ id: NodeIdText, name: NodeName }, { additionalProperties: false }), {
        description: `The first ${MAX_TOUCHED} of them, in order of name.`,
      }),
      failed_tests: Type.Array(FailedTest, { description: 'With these, it would be refused.' }),
      warnings: PolicyWarnings('What is worth a look, although it is allowed. Absent: nothing.'),
    },
    { additionalProperties: false },
  ),
);
export type Preview = Static<typeof Preview>;

export const exampleVersion: PolicyVersion = {
  version: 3,
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv3m8hfg2t6r9x0z4w7y1a', name: 'ops' },
  note: 'developers may reach git',
  restored_from: null,
  sha256: '5f1c7a9de0b4c3826f7f5a1d1c0c2a94bb1a3e0f7d64b2f98c5e6a7d8f901234',
  groups: 3,
  grants: 1,
};
export const exampleVersionWithText: PolicyVersionWithText = {
  ...exampleVersion,
  text: examplePolicyText,
  document: examplePolicyDocument,
};
export const examplePolicy: Policy = { ...exampleVersionWithText, lapsed: [], revision: 1184 };
