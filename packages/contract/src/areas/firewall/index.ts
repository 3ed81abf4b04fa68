import { ActorRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { NoData } from '../../event-data.ts';
import { FirewallRuleId, RuleNote, ruleFields } from '../../firewall-rule.ts';
import { RolledBack } from '../../heartbeat/applied.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { MAX_TOUCHED } from '../acls/index.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { firewallVocabulary } from './vocabulary.ts';

export { NodeRule } from '../../firewall-rule.ts';

/** Bounds the work for each node that changes: all of them are evaluated for it. */
export const MAX_FIREWALL_RULES = 500;

export const FirewallRule = named(
  'FirewallRule',
  Type.Object(
    {
      id: FirewallRuleId,
      position: Type.Integer({ description: 'Its place in the order, from 0. Earlier rules are evaluated first.' }),
      note: maybe(RuleNote, 'For people. Null: none.'),
      ...ruleFields,
      created_at: Timestamp('When it was made.'),
      created_by: ActorRef,
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type FirewallRule = Static<typeof FirewallRule>;

const { enabled, ...needed } = ruleFields;
const newRule = { ...needed, enabled: Type.Optional(enabled), note: Type.Optional(maybe(RuleNote)) };
const Before = Type.Optional(
  maybe(FirewallRuleId, 'The rule that it stands before. Null: it stands last. Absent: last, or where it is.'),
);
const force = Type.Optional(
  Type.Boolean({ description: 'True: even if it cuts agents off from the coordinator or from their peers.' }),
);

export const FirewallFinding = named(
  'FirewallFinding',
  Type.Object(
    {
      kind: Type.Enum(['duplicate', 'shadowed', 'conflict', 'no_effect', 'no_node', 'cuts_off', 'may_cut_off'], {
        description:
          '`cuts_off`: refused unless forced. `may_cut_off`: it depends on what the coordinator does not know. The others may be meant.',
      }),
      rule: Type.String({ description: 'Id of the rule; in a preview, `rule-N` for its place in the list.' }),
      by: maybe(Type.String(), 'The earlier rule that it is about. Null: none.'),
      detail: Type.String({ description: 'In one sentence.' }),
      nodes: Type.Integer({ description: 'How many nodes it affects.' }),
    },
    { additionalProperties: false },
  ),
);
export type FirewallFinding = Static<typeof FirewallFinding>;

/** A rule that was just made or changed. */
export const ChangedFirewallRule = named(
  'ChangedFirewallRule',
  Type.Object(
    {
      ...FirewallRule.properties,
      findings: Type.Array(FirewallFinding, {
        description: 'What this change takes from agents (`cuts_off`, forced), or may take (`may_cut_off`).',
      }),
    },
    { additionalProperties: false },
  ),
);

export type ChangedFirewallRule = Static<typeof ChangedFirewallRule>;

export const FirewallPreview = named(
  'FirewallPreview',
  Type.Object(
    {
      findings: Type.Array(FirewallFinding, { description: 'Warnings about the rules.' }),
      nodes_touched: Type.Integer({ description: 'Nodes whose rules would change.' }),
      nodes: Type.Array(Type.Object({ id: NodeIdText, name: NodeName }, { additionalProperties: false }), {
        description: `The first ${MAX_TOUCHED} of them, in order of name.`,
      }),
      compiled: maybe(Type.String(), 'What nftables would load on the requested node. Null: no node was requested.'),
    },
    { additionalProperties: false },
  ),
);
export type FirewallPreview = Static<typeof FirewallPreview>;

export const CompiledFirewall = named(
  'CompiledFirewall',
  Type.Object(
    {
      node: NodeIdText,
      name: NodeName,
      rules: Type.Array(FirewallRuleId, { description: 'Those that hold for it, in order.' }),
      text: Type.String({ description: 'What `nft -f` loads there: the policy and the host rules in one table.' }),
      findings: Type.Array(FirewallFinding, { description: 'Warnings about its rules.' }),
      rolled_back: maybe(
        Type.Object(RolledBack.properties, { additionalProperties: false }),
        'The rule set that the node refuses, because it was cut off by it. Null: none.',
      ),
      revision: Type.Integer({ description: 'Of the mesh, that this was made of.' }),
    },
    { additionalProperties: false },
  ),
);
export type CompiledFirewall = Static<typeof CompiledFirewall>;

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the rule.' }) });
const exampleMeaning = {
  nodes: ['tag:role:git'],
  direction: 'in' as const,
  interface: 'any',
  protocol: 'tcp' as const,
  ports: ['22'],
  action: 'accept' as const,
  rate: { count: 10, per: 'minute' as const },
};
const exampleRule: FirewallRule = {
  id: 'firewall_01jcqv8h3kf1x9r7w5t2m6d0za',
  position: 0,
  note: 'no more than ten logins a minute',
  ...exampleMeaning,
  enabled: true,
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv3m8hfg2t6r9x0z4w7y1a', name: 'ops' },
  revision: 1184,
};
const exampleFinding: FirewallFinding = {
  kind: 'shadowed',
  rule: 'rule-1',
  by: 'rule-0',
  detail: 'Rule rule-1 is never evaluated: rule rule-0 before it drops all that it matches.',
  nodes: 3,
};

const firewallOperations = defineOperations({
  'firewall.list': {
    method: 'GET',
    path: '/v1/firewall/rules',
    summary: 'List the host rules',
    permission: 'firewall:read',
    reach: 'mesh',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of rules, in their order.', schema: Page(FirewallRule) },
    errors: [],
    example: { answer: { items: [exampleRule], next_cursor: null } },
  },
  'firewall.create': {
    method: 'POST',
    path: '/v1/firewall/rules',
    summary: 'Add a host rule',
    description:
      'Refused when it would cut agents off from the coordinator or from their peers, unless `force` is true.',
    permission: 'firewall:write',
    reach: 'mesh',
    body: Strict({ ...newRule, before: Before, force }),
    versioned: true,
    answer: { status: 201, description: 'The new rule.', schema: ChangedFirewallRule },
    errors: ['firewall_cuts_off', 'too_many'],
    example: { body: { ...exampleMeaning, note: exampleRule.note }, answer: { ...exampleRule, findings: [] } },
  },
  'firewall.show': {
    method: 'GET',
    path: '/v1/firewall/rules/{id}',
    summary: 'Show a host rule',
    permission: 'firewall:read',
    reach: 'mesh',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The rule.', schema: FirewallRule },
    errors: [],
    example: { params: { id: exampleRule.id }, answer: exampleRule },
  },
  'firewall.update': {
    method: 'PATCH',
    path: '/v1/firewall/rules/{id}',
    summary: 'Change or move a host rule',
    description: 'A JSON merge patch: name only what changes, and null takes away what may be absent.',
    permission: 'firewall:write',
    reach: 'mesh',
    params: byId,
    body: Strict({
      nodes: Type.Optional(ruleFields.nodes),
      direction: Type.Optional(ruleFields.direction),
      interface: Type.Optional(ruleFields.interface),
      from: Type.Optional(maybe(ruleFields.from)),
      to: Type.Optional(maybe(ruleFields.to)),
      protocol: Type.Optional(ruleFields.protocol),
      ports: Type.Optional(maybe(ruleFields.ports)),
      action: Type.Optional(ruleFields.action),
      rate: Type.Optional(maybe(ruleFields.rate)),
      enabled: Type.Optional(enabled),
      note: Type.Optional(maybe(RuleNote)),
      before: Before,
      force,
    }),
    versioned: true,
    answer: { status: 200, description: 'The rule as it is now.', schema: ChangedFirewallRule },
    errors: ['firewall_cuts_off'],
    example: { params: { id: exampleRule.id }, body: { before: null }, answer: { ...exampleRule, findings: [] } },
  },
  'firewall.delete': {
    method: 'DELETE',
    path: '/v1/firewall/rules/{id}',
    summary: 'Delete a host rule',
    permission: 'firewall:write',
    reach: 'mesh',
    params: byId,
    query: Strict({ force }),
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: ['firewall_cuts_off'],
    example: { params: { id: exampleRule.id } },
  },
  'firewall.preview': {
    method: 'POST',
    path: '/v1/firewall/preview',
    summary: 'Preview a list of host rules',
    description: 'Instead of the one there is. Nothing is written.',
    permission: 'firewall:read',
    reach: 'mesh',
    body: Strict({
      rules: Type.Array(Strict(newRule), { maxItems: MAX_FIREWALL_RULES, description: 'All of them, in order.' }),
      node: Type.Optional(Type.String({ maxLength: 64, description: 'Compile for this node: id or name.' })),
    }),
    body_limit: 512 * 1024,
    repeatable: false,
    answer: { status: 200, description: 'Warnings, and the nodes that would change.', schema: FirewallPreview },
    errors: ['not_found'],
    example: {
      body: { rules: [exampleMeaning] },
      answer: {
        findings: [exampleFinding],
        nodes_touched: 3,
        nodes: [{ id: exampleNode.id, name: exampleNode.name }],
        compiled: null,
      },
    },
  },
  'firewall.node': {
    method: 'GET',
    path: '/v1/firewall/nodes/{id}',
    summary: 'Show the compiled firewall of a node',
    description: 'Policy and host rules together, as nftables loads them on the node.',
    permission: 'firewall:read',
    reach: 'mesh',
    params: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id or name of the node.' }) }),
    answer: { status: 200, description: 'The compiled rules.', schema: CompiledFirewall },
    errors: [],
    example: {
      params: { id: exampleNode.id },
      answer: {
        node: exampleNode.id,
        name: exampleNode.name,
        rules: [exampleRule.id],
        text: 'table inet mesh { … }',
        findings: [],
        rolled_back: null,
        revision: 1184,
      },
    },
  },
});

export const firewallArea = defineArea({
  name: 'firewall',
  title: 'Firewall',
  description: 'Host rules beside the policy, in order, for the nodes they select.',
  ...firewallVocabulary,
  operations: firewallOperations,
  events: {
    'firewall.changed': { summary: 'The host rules were changed', data: NoData },
  },
});
