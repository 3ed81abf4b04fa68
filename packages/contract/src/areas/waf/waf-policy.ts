import { ActorRef } from '../../actor.ts';
import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Strict } from '../../operation.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { WafExclusionRules, WafRules } from '../../waf-rules.ts';
import { exampleIngress } from '../ingress/ingress-record.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { DEFAULT_WAF_RULES, MAX_WAF_EXCLUSIONS } from './vocabulary.ts';

export const WafName = Type.String({ pattern: NODE_NAME_PATTERN, description: 'Its display name.' });
export const WafNote = Type.String({ maxLength: 500, pattern: VISIBLE_NOTE, description: 'For people.' });
export const WafEventIdText = Type.String({ pattern: idPattern('wafevent'), description: 'Id of an event.' });

export const WafExclusion = named(
  'WafExclusion',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('wafexclusion'), description: 'Identifies it permanently.' }),
      ...WafExclusionRules.properties,
      draft: Type.Boolean({ description: 'True: it is proposed, and not in force.' }),
      note: maybe(WafNote, 'For people. Null: none.'),
      event: maybe(WafEventIdText, 'The event that it was made from. Null: it was written by hand.'),
      created_at: Timestamp('When it was made.'),
      created_by: ActorRef,
    },
    { additionalProperties: false, description: 'Where rules of the rule set do not look.' },
  ),
);
export type WafExclusion = Static<typeof WafExclusion>;

/** What a caller says of one. */
export const NewWafExclusion = Strict({
  ...WafExclusionRules.properties,
  draft: Type.Optional(Type.Boolean({ description: 'False: it is in force at once. Absent: a draft.' })),
  note: Type.Optional(maybe(WafNote)),
  event: Type.Optional(maybe(WafEventIdText, 'The event that it is made from.')),
});

const WafUse = Type.Object(
  {
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    name: Type.String({ description: 'Its display name.' }),
    hostname: Type.String({ description: 'Its host name.' }),
    path: Type.String({ description: 'The path. `/`: what no other route is for.' }),
  },
  { additionalProperties: false, description: 'A route that uses the policy.' },
);

const WafGateway = Type.Object(
  {
    node: NodeIdText,
    name: NodeName,
    rule_set: maybe(Type.String(), 'Version of the rule set that it last reported. Null: none.'),
    in_force: Type.Boolean({ description: 'True: it proves that it has the policies as they are now.' }),
    problem: maybe(Type.String(), 'Why it does not, or what is wrong with its rule set. Null: nothing.'),
  },
  { additionalProperties: false, description: 'A gateway that serves a route with the policy.' },
);

export const WafPolicy = named(
  'WafPolicy',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('waf'), description: 'Identifies it permanently.' }),
      name: WafName,
      note: maybe(WafNote, 'For people. Null: none.'),
      scope: Scope,
      ...WafRules.properties,
      exclusions: Type.Array(WafExclusion, {
        maxItems: MAX_WAF_EXCLUSIONS,
        description: 'Where rules of the rule set do not look, those in force and drafts.',
      }),
      used_by: Type.Array(WafUse, { description: 'Routes that use it, as far as the caller may see them.' }),
      gateways: Type.Array(WafGateway, { description: 'Gateways of these routes.' }),
      created_at: Timestamp('When it was made.'),
      created_by: ActorRef,
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type WafPolicy = Static<typeof WafPolicy>;

const maker: ActorRef = { kind: 'token', id: 'token_01jcqvc37ee3xv9k7d0w8m2b4n', name: 'operator' };

export const exampleWafExclusion: WafExclusion = {
  id: 'wafexclusion_01jcqvc37ee3xv9k7d0w8m2b4n',
  rule: 942100,
  tag: null,
  host: 'git.example.net',
  path: '/search',
  below: false,
  parameter: { part: 'argument', name: 'q' },
  draft: true,
  note: null,
  event: 'wafevent_01jcqvc37ee3xv9k7d0w8m2b4n',
  created_at: '2026-11-15T09:31:00Z',
  created_by: maker,
};

export const exampleWafPolicy: WafPolicy = {
  id: 'waf_01jcqvc37ee3xv9k7d0w8m2b4n',
  name: 'public',
  note: null,
  scope: { team: 'platform', surface: 'git', environment: 'production' },
  ...DEFAULT_WAF_RULES,
  exclusions: [],
  used_by: [{ ingress: exampleIngress.id, name: 'git', hostname: 'git.example.net', path: '/' }],
  gateways: [{ node: exampleNode.id, name: 'gw-1', rule_set: '3.3.4', in_force: true, problem: null }],
  created_at: '2026-11-15T09:30:00Z',
  created_by: maker,
  revision: 1184,
};
