import { defineArea } from '../../area.ts';
import { maybe } from '../../maybe.ts';
import { NODE_REF_PATTERN } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Type } from '../../type.ts';
import { WafExclusionRules, WafTestRequest, wafRulesChange } from '../../waf-rules.ts';
import { wafVocabulary } from './vocabulary.ts';
import {
  eventFilters,
  exampleReplay,
  exampleWafEvent,
  exampleWafSummary,
  WafEvent,
  WafProposal,
  WafReplay,
  WafSummary,
  WafTested,
} from './waf-event.ts';
import {
  exampleWafExclusion,
  exampleWafPolicy,
  NewWafExclusion,
  WafEventIdText,
  WafName,
  WafNote,
  WafPolicy,
} from './waf-policy.ts';

export { WafEvent, WafProposal, WafReplay, WafSummary, WafTested } from './waf-event.ts';
export { WafExclusion, WafPolicy } from './waf-policy.ts';

const Named = Strict({ name: Type.String({ description: 'Its display name.' }) });
const id = Type.String({ maxLength: 64, description: 'Id of the policy, or its name if no other has the same.' });
const byId = Type.Object({ id });
const byExclusion = Type.Object({
  id,
  exclusion: Type.String({ maxLength: 64, description: 'Id of the exclusion.' }),
});
const byEvent = Type.Object({ id: WafEventIdText });
const params = { id: exampleWafPolicy.id };

const TestedPolicy = Strict({
  request: WafTestRequest,
  gateway: Type.Optional(
    Type.String({
      pattern: NODE_REF_PATTERN,
      description: 'The node that tries it: its id or name. Absent: any that can.',
    }),
  ),
  exclusion: Type.Optional(
    maybe(WafExclusionRules, 'An exclusion that is tried along with those in force. Null or absent: none.'),
  ),
});

const { rule, tag, host, path, below, parameter } = exampleWafExclusion;
const exampleRules = { rule, tag, host, path, below, parameter };

const wafOperations = defineOperations({
  'waf.create': {
    method: 'POST',
    path: '/v1/waf/policies',
    summary: 'Create a WAF policy',
    description: 'It is in force for the routes of ingresses that name it.',
    permission: 'waf:write',
    reach: 'scoped',
    body: Strict({
      name: WafName,
      note: Type.Optional(maybe(WafNote)),
      scope: Type.Optional(Scope),
      ...wafRulesChange,
    }),
    versioned: true,
    answer: { status: 201, description: 'The new policy.', schema: WafPolicy },
    errors: ['exceeds_own_rights'],
    example: {
      body: { name: 'public', mode: 'detect' },
      answer: { ...exampleWafPolicy, used_by: [], gateways: [] },
    },
  },
  'waf.list': {
    method: 'GET',
    path: '/v1/waf/policies',
    summary: 'List WAF policies',
    permission: 'waf:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of policies.', schema: Page(WafPolicy) },
    errors: [],
    example: { answer: { items: [exampleWafPolicy], next_cursor: null } },
  },
  'waf.show': {
    method: 'GET',
    path: '/v1/waf/policies/{id}',
    summary: 'Show a WAF policy',
    permission: 'waf:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The policy.', schema: WafPolicy },
    errors: [],
    example: { params, answer: exampleWafPolicy },
  },
  'waf.update': {
    method: 'PATCH',
    path: '/v1/waf/policies/{id}',
    summary: 'Change a WAF policy',
    description: 'A JSON merge patch: name only what changes; lists such as `rules` are replaced whole.',
    permission: 'waf:write',
    reach: 'scoped',
    params: byId,
    body: Strict({ name: Type.Optional(WafName), note: Type.Optional(maybe(WafNote)), ...wafRulesChange }),
    versioned: true,
    answer: { status: 200, description: 'The policy as it is now.', schema: WafPolicy },
    errors: ['exceeds_own_rights'],
    example: { params, body: { mode: 'block' }, answer: { ...exampleWafPolicy, mode: 'block' } },
  },
  'waf.delete': {
    method: 'DELETE',
    path: '/v1/waf/policies/{id}',
    summary: 'Delete a WAF policy',
    description: 'Refused while a route uses it.',
    permission: 'waf:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: ['waf_in_use', 'exceeds_own_rights'],
    example: { params },
  },
  'waf.test': {
    method: 'POST',
    path: '/v1/waf/policies/{id}/test',
    summary: 'Try a request on a WAF policy',
    description:
      'A gateway runs it through its engine, apart from what it serves. The request reaches no service and is no event.',
    permission: 'waf:read',
    reach: 'scoped',
    params: byId,
    body: TestedPolicy,
    repeatable: false,
    answer: { status: 200, description: 'What came of it.', schema: WafTested },
    errors: ['waf_not_tried'],
    example: {
      params,
      body: {
        request: {
          method: 'GET',
          host: 'git.example.net',
          uri: '/search?q=1%27%20OR%20%271%27=%271',
          headers: [],
          body: null,
          address: '192.0.2.7',
        },
      },
      answer: {
        node: exampleWafEvent.node,
        gateway: 'gw-1',
        verdict: 'blocked',
        status: 403,
        score_in: 5,
        matches: exampleWafEvent.matches,
        matches_left_out: 0,
        rule_set: '3.3.4',
      },
    },
  },
  'waf.replay': {
    method: 'POST',
    path: '/v1/waf/policies/{id}/replay',
    summary: 'Show what an exclusion would have done to recorded events',
    permission: 'waf:read',
    reach: 'scoped',
    params: byId,
    body: WafExclusionRules,
    repeatable: false,
    answer: { status: 200, description: 'What would have passed.', schema: WafReplay },
    errors: [],
    example: { params, body: exampleRules, answer: exampleReplay },
  },
  'waf.exclude': {
    method: 'POST',
    path: '/v1/waf/policies/{id}/exclusions',
    summary: 'Add an exclusion to a WAF policy',
    permission: 'waf:write',
    reach: 'scoped',
    params: byId,
    body: NewWafExclusion,
    versioned: true,
    answer: { status: 201, description: 'The policy with the exclusion, which is its last.', schema: WafPolicy },
    errors: ['already_exists', 'too_many', 'exceeds_own_rights'],
    example: { params, body: exampleRules, answer: { ...exampleWafPolicy, exclusions: [exampleWafExclusion] } },
  },
  'waf.enforce': {
    method: 'POST',
    path: '/v1/waf/policies/{id}/exclusions/{exclusion}/enforce',
    summary: 'Put a draft of an exclusion in force',
    permission: 'waf:write',
    reach: 'scoped',
    params: byExclusion,
    versioned: true,
    answer: { status: 200, description: 'The policy as it is now.', schema: WafPolicy },
    errors: ['exceeds_own_rights'],
    example: {
      params: { ...params, exclusion: exampleWafExclusion.id },
      answer: { ...exampleWafPolicy, exclusions: [{ ...exampleWafExclusion, draft: false }] },
    },
  },
  'waf.include': {
    method: 'DELETE',
    path: '/v1/waf/policies/{id}/exclusions/{exclusion}',
    summary: 'Remove an exclusion from a WAF policy',
    permission: 'waf:write',
    reach: 'scoped',
    params: byExclusion,
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: ['exceeds_own_rights'],
    example: { params: { ...params, exclusion: exampleWafExclusion.id } },
  },
  'waf.events': {
    method: 'GET',
    path: '/v1/waf/events',
    summary: 'List WAF events',
    description: 'The newest first. Events of ingresses inside the scope of the caller.',
    permission: 'waf:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery, ...eventFilters }),
    answer: { status: 200, description: 'A page of events.', schema: Page(WafEvent) },
    errors: [],
    example: { answer: { items: [exampleWafEvent], next_cursor: null } },
  },
  'waf.event': {
    method: 'GET',
    path: '/v1/waf/events/{id}',
    summary: 'Show a WAF event',
    permission: 'waf:read',
    reach: 'scoped',
    params: byEvent,
    answer: { status: 200, description: 'The event.', schema: WafEvent },
    errors: [],
    example: { params: { id: exampleWafEvent.id }, answer: exampleWafEvent },
  },
  'waf.propose': {
    method: 'GET',
    path: '/v1/waf/events/{id}/exclusions',
    summary: 'Propose exclusions for a WAF event',
    description:
      'The fewest and narrowest with which the request would have passed, and what else they would have let through.',
    permission: 'waf:read',
    reach: 'scoped',
    params: byEvent,
    answer: { status: 200, description: 'The proposal. Nothing is changed.', schema: WafProposal },
    errors: [],
    example: {
      params: { id: exampleWafEvent.id },
      answer: {
        event: exampleWafEvent.id,
        policy: exampleWafPolicy.id,
        exclusions: [{ ...exampleRules, replay: exampleReplay }],
        replay: exampleReplay,
        why_none: null,
      },
    },
  },
  'waf.summary': {
    method: 'GET',
    path: '/v1/waf/summary',
    summary: 'Count WAF events over time',
    description: 'Without `from` and `to`: the last 24 hours.',
    permission: 'waf:read',
    reach: 'scoped',
    query: Strict({ ...eventFilters }),
    answer: { status: 200, description: 'The counts.', schema: WafSummary },
    errors: [],
    example: { answer: exampleWafSummary },
  },
});

export const wafArea = defineArea({
  name: 'waf',
  title: 'WAF',
  description: 'What requests to ingresses have to pass, and what was found in them.',
  ...wafVocabulary,
  bounded: true,
  operations: wafOperations,
  events: {
    'waf.created': { summary: 'A WAF policy was created', data: Named },
    'waf.changed': { summary: 'A WAF policy or one of its exclusions was changed', data: Named },
    'waf.deleted': { summary: 'A WAF policy was deleted', data: Named },
  },
});
