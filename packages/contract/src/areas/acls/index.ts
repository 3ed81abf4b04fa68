/** The policy: who may reach what. `policy-document.ts` is what people write, this is what is kept and said of it. */

import { ActorRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { FieldError } from '../../errors.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { Explanation, exampleExplanation } from './explanation.ts';
import { exampleOwnershipCheck, exampleWarning, OwnershipCheck, PolicyWarnings } from './ownership-check.ts';
import { examplePolicyDocument, examplePolicyText, PolicyDocument } from './policy-document.ts';
import { aclVocabulary, JSONC_TYPE } from './vocabulary.ts';

export * from './explanation.ts';
export * from './ownership-check.ts';
export * from './policy-document.ts';

const POLICY_BODY_LIMIT = 1024 * 1024;
const TEXT_TYPES = ['application/json', JSONC_TYPE] as const;

const version = {
  version: Type.Integer({ minimum: 0, description: 'Counts up with each change. 0: what a new mesh starts with.' }),
  created_at: maybe(Timestamp('When it was written. Null: nobody wrote it.')),
  created_by: maybe(ActorRef, 'Who wrote it. Null: nobody did.'),
  note: maybe(Type.String(), 'Why, in the words of whoever wrote it. Null: nobody said.'),
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
      detail: Type.String({ description: 'What is the case instead, and for which nodes.' }),
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
        description: 'Pairs of nodes, from source to destination, that it makes a difference to. 0: to nobody now.',
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
      nodes_touched: Type.Integer({ description: 'Nodes that would be told something new.' }),
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

const Note = Type.Optional(
  Type.String({ maxLength: 500, pattern: VISIBLE_NOTE, description: 'Why, for whoever reads the versions later.' }),
);
const byNumber = Type.Object({ n: Type.String({ maxLength: 15, description: 'Number of the version.' }) });

const exampleVersion: PolicyVersion = {
  version: 3,
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv3m8hfg2t6r9x0z4w7y1a', name: 'ops' },
  note: 'developers may reach git',
  restored_from: null,
  sha256: '5f1c7a9de0b4c3826f7f5a1d1c0c2a94bb1a3e0f7d64b2f98c5e6a7d8f901234',
  groups: 3,
  grants: 1,
};
const exampleVersionWithText: PolicyVersionWithText = {
  ...exampleVersion,
  text: examplePolicyText,
  document: examplePolicyDocument,
};
const examplePolicy: Policy = { ...exampleVersionWithText, lapsed: [], revision: 1184 };

const aclOperations = defineOperations({
  'acls.show': {
    method: 'GET',
    path: '/v1/acls',
    summary: 'Show the policy in effect',
    permission: 'acls:read',
    reach: 'mesh',
    versioned: true,
    answer: {
      status: 200,
      description: 'The policy, read and as it was written.',
      schema: Policy,
      also: [{ type: JSONC_TYPE, description: 'The text alone, to be edited and put back.' }],
    },
    errors: [],
    example: { answer: examplePolicy },
  },
  'acls.replace': {
    method: 'PUT',
    path: '/v1/acls',
    summary: 'Replace the policy',
    description:
      'As JSON, or as JSON with comments. Refused when anything is wrong with it, or when one of its own tests fails. The same text once more changes nothing. Send the `ETag` of the policy that you started from as `If-Match`, so that nobody’s change is lost.',
    permission: 'acls:write',
    reach: 'mesh',
    confirmed: true,
    query: Strict({ note: Note }),
    body: PolicyDocument,
    text: TEXT_TYPES,
    body_limit: POLICY_BODY_LIMIT,
    versioned: true,
    answer: { status: 200, description: 'The policy that is in effect now.', schema: Policy },
    errors: ['policy_invalid', 'policy_tests_failed'],
    example: { query: { note: 'developers may reach git' }, body: examplePolicyDocument, answer: examplePolicy },
  },
  'acls.validate': {
    method: 'POST',
    path: '/v1/acls/validate',
    summary: 'Look what is wrong with a policy',
    permission: 'acls:read',
    reach: 'mesh',
    body: PolicyDocument,
    text: TEXT_TYPES,
    body_limit: POLICY_BODY_LIMIT,
    repeatable: false,
    answer: { status: 200, description: 'Whether it could be put into effect, and why not.', schema: Validation },
    errors: [],
    example: { body: examplePolicyDocument, answer: { valid: true, problems: [], failed_tests: [] } },
  },
  'acls.preview': {
    method: 'POST',
    path: '/v1/acls/preview',
    summary: 'See what a policy would change',
    description: 'Nothing is written.',
    permission: 'acls:read',
    reach: 'mesh',
    body: PolicyDocument,
    text: TEXT_TYPES,
    body_limit: POLICY_BODY_LIMIT,
    repeatable: false,
    answer: { status: 200, description: 'What would open and close, and who would notice.', schema: Preview },
    errors: ['policy_invalid'],
    example: {
      body: examplePolicyDocument,
      answer: {
        opened: [{ from: 'developers', to: 'git-servers', allow: 'tcp:22', pairs: 12 }],
        closed: [],
        nodes_touched: 7,
        nodes: [{ id: exampleNode.id, name: exampleNode.name }],
        failed_tests: [],
        warnings: [exampleWarning],
      },
    },
  },
  'acls.check': {
    method: 'GET',
    path: '/v1/acls/check',
    summary: 'List what its own boundary could not set today',
    description:
      'Tags and names of nodes, and host names of ingresses, that a token of their own boundary would be refused under the policy in effect. They stay as they are: this is what to look at after an upgrade, or after a change of owners.',
    permission: 'acls:read',
    reach: 'mesh',
    answer: { status: 200, description: 'What was found, with the remedy for each.', schema: OwnershipCheck },
    errors: [],
    example: { answer: exampleOwnershipCheck },
  },
  'acls.explain': {
    method: 'GET',
    path: '/v1/acls/explain',
    summary: 'Say why a node can reach something, or why not',
    description:
      'Walks the whole way: both ends, the grant, the route, the firewalls, what is in effect on either side, and the link. What lies outside the scope of the token counts as unknown.',
    permission: 'acls:read',
    reach: 'scoped',
    query: Strict({
      from: Type.String({ minLength: 1, maxLength: 64, description: 'The node that wants to reach it: name or id.' }),
      to: Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'Name or id of a node, `service:NAME`, or an address in the mesh or behind it.',
      }),
      port: Type.Optional(
        Type.String({
          maxLength: 16,
          description:
            '`tcp:22`, `udp:53` or `icmp`. May be absent for a service, which knows its own; else absent means `icmp`.',
        }),
      ),
    }),
    answer: { status: 200, description: 'The verdict, and every step to it.', schema: Explanation },
    errors: [],
    example: { query: { from: 'laptop-3', to: 'git-1', port: 'tcp:22' }, answer: exampleExplanation },
  },
  'acls.versions': {
    method: 'GET',
    path: '/v1/acls/versions',
    summary: 'List the versions of the policy',
    permission: 'acls:read',
    reach: 'mesh',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of versions, newest first.', schema: Page(PolicyVersion) },
    errors: [],
    example: { answer: { items: [exampleVersion], next_cursor: null } },
  },
  'acls.version': {
    method: 'GET',
    path: '/v1/acls/versions/{n}',
    summary: 'Show a version of the policy',
    permission: 'acls:read',
    reach: 'mesh',
    params: byNumber,
    answer: {
      status: 200,
      description: 'The version, read and as it was written.',
      schema: PolicyVersionWithText,
      also: [{ type: JSONC_TYPE, description: 'The text alone.' }],
    },
    errors: [],
    example: { params: { n: '3' }, answer: exampleVersionWithText },
  },
  'acls.restore': {
    method: 'POST',
    path: '/v1/acls/versions/{n}/restore',
    summary: 'Put a version of the policy into effect again',
    description: 'As a new version. Refused when one of its tests fails with the nodes there are now.',
    permission: 'acls:write',
    reach: 'mesh',
    confirmed: true,
    params: byNumber,
    query: Strict({ note: Note }),
    versioned: true,
    answer: { status: 200, description: 'The policy that is in effect now.', schema: Policy },
    errors: ['policy_invalid', 'policy_tests_failed'],
    example: { params: { n: '3' }, answer: { ...examplePolicy, version: 5, restored_from: 3 } },
  },
});

export const aclsArea = defineArea({
  name: 'acls',
  title: 'Access',
  description: 'The policy: who may reach what, and why somebody cannot.',
  ...aclVocabulary,
  operations: aclOperations,
  events: {
    'policy.changed': {
      summary: 'The policy was replaced',
      data: Strict({
        version: Type.Integer({ description: 'Of the policy now.' }),
        restored_from: maybe(Type.Integer(), 'The version it was restored from. Null: it is new.'),
      }),
    },
    'policy.grant_expired': {
      summary: 'A grant of the policy has expired',
      data: Strict({ grant: Type.String({ description: 'Which: `developers -> git-servers`.' }) }),
    },
  },
});
