/** The policy: who may reach what. `policy-document.ts` is what people write, `policy-record.ts` what is stored of it. */

import { defineArea } from '../../area.ts';
import { maybe } from '../../maybe.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { Explanation, exampleExplanation, ReachQuestion } from './explanation.ts';
import { exampleOwnershipCheck, exampleWarning, OwnershipCheck } from './ownership-check.ts';
import { examplePolicyDocument, PolicyDocument } from './policy-document.ts';
import {
  examplePolicy,
  exampleVersion,
  exampleVersionWithText,
  Policy,
  PolicyVersion,
  PolicyVersionWithText,
  Preview,
  Validation,
} from './policy-record.ts';
import { exampleProbeReport, exampleSelfCheck, ProbeReport, SelfCheck } from './probe-report.ts';
import { aclVocabulary, JSONC_TYPE } from './vocabulary.ts';

export * from './explanation.ts';
export * from './ownership-check.ts';
export * from './policy-document.ts';
export * from './policy-record.ts';
export * from './probe-report.ts';

const POLICY_BODY_LIMIT = 1024 * 1024;
const TEXT_TYPES = ['application/json', JSONC_TYPE] as const;

const Note = Type.Optional(
  Type.String({ maxLength: 500, pattern: VISIBLE_NOTE, description: 'Why, for later readers of the versions.' }),
);
const byNumber = Type.Object({ n: Type.String({ maxLength: 15, description: 'Number of the version.' }) });

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
      'As JSON, or as JSON with comments. Refused when anything is wrong with it, or when one of its own tests fails. The same text once more changes nothing. Send the `ETag` of the policy that you started from as `If-Match`, so that no change of another operator is lost.',
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
    summary: 'Validate a policy',
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
    summary: 'Preview the changes of a policy',
    description: 'Nothing is written.',
    permission: 'acls:read',
    reach: 'mesh',
    body: PolicyDocument,
    text: TEXT_TYPES,
    body_limit: POLICY_BODY_LIMIT,
    repeatable: false,
    answer: { status: 200, description: 'What would open and close, and which nodes would change.', schema: Preview },
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
    summary: 'List tags and names that their own boundary could not set today',
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
    summary: 'Explain why a node can reach something, or why not',
    description:
      'Checks the whole path: both ends, the grant, the route, the firewalls, what is in effect on either side, and the link. What lies outside the scope of the token counts as unknown.',
    permission: 'acls:read',
    reach: 'scoped',
    query: ReachQuestion,
    answer: { status: 200, description: 'The verdict, and every step to it.', schema: Explanation },
    errors: [],
    example: { query: { from: 'laptop-3', to: 'git-1', port: 'tcp:22' }, answer: exampleExplanation },
  },
  'acls.probe': {
    method: 'POST',
    path: '/v1/acls/probe',
    summary: 'Try whether a node can reach something',
    description:
      'The agent of the source makes a real attempt through the mesh, and the agent of the other end says what arrived and which rule decided. Both nodes must lie within the scope of the token; a node whose operator switched probes off refuses. Each attempt is in the audit trail.',
    permission: 'acls:probe',
    reach: 'scoped',
    repeatable: false,
    body: ReachQuestion,
    answer: { status: 200, description: 'What happened, beside the explanation.', schema: ProbeReport },
    errors: ['rate_limited'],
    example: { body: { from: 'laptop-3', to: 'git-1', port: 'tcp:22' }, answer: exampleProbeReport },
  },
  'acls.self_check': {
    method: 'GET',
    path: '/v1/acls/self-check',
    summary: 'Show how often explanations were what happened',
    description:
      'The coordinator picks pairs of nodes at random, has one try to reach the other, and compares that with its own explanation. Counted since this coordinator started.',
    permission: 'acls:read',
    reach: 'mesh',
    answer: { status: 200, description: 'The counts, and the last disagreements.', schema: SelfCheck },
    errors: [],
    example: { answer: exampleSelfCheck },
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
    summary: 'Restore a version of the policy',
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
  description: 'The policy: who may reach what, and why a node cannot.',
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
    'policy.explain_disagreed': {
      summary: 'An explanation was not what happened',
      data: Strict({
        from: Type.String({ description: 'The source node.' }),
        to: Type.String({ description: 'The address that was tried.' }),
        port: Type.String({ description: 'The port: `tcp:22`.' }),
        verdict: Type.String({ description: 'What was explained.' }),
        reality: Type.String({ description: 'What happened.' }),
        reason: Type.String({ description: 'What happened, in one sentence.' }),
      }),
    },
    'policy.grant_expired': {
      summary: 'A grant of the policy has expired',
      data: Strict({ grant: Type.String({ description: 'Which: `developers -> git-servers`.' }) }),
    },
  },
});
