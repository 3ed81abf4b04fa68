/** How an ingress looks from outside, as a node found it: what people outside get, finding by finding, and what to do. */
import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleIngress } from './ingress-record.ts';
import { OUTSIDE_FINDINGS, OUTSIDE_VERDICTS } from './vocabulary.ts';

const OutsideFinding = Type.Object(
  {
    finding: Type.Enum(OUTSIDE_FINDINGS, { description: 'What was found.' }),
    level: Type.Enum(['good', 'notice', 'problem'], {
      description:
        '`problem`: people outside do not get through there. `notice`: they do, or may, and it could be better.',
    }),
    summary: Type.String({ description: 'In words.' }),
    remedy: maybe(Type.String(), 'What to do. Null: nothing.'),
    address: maybe(Type.String(), 'At which address. Null: at none.'),
    port: maybe(Type.Integer(), 'At which port. Null: at none.'),
    gateway: maybe(NodeName, 'Which gateway it is about. Null: none, or it is not known which.'),
  },
  { additionalProperties: false, description: 'One thing that was found.' },
);
export type OutsideFinding = Static<typeof OutsideFinding>;

export const OutsideCheck = named(
  'OutsideCheck',
  Type.Object(
    {
      ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
      hostname: Type.String({ description: 'What was looked up.' }),
      verdict: Type.Enum(OUTSIDE_VERDICTS, {
        description:
          '`reached`: every address of DNS leads to it. `partly`: some do not. `unreached`: none does, or DNS has none. `unproven`: they take connections, and nothing can show that it is this ingress.',
      }),
      node: NodeIdText,
      name: NodeName,
      at: Timestamp('When.'),
      resolvers: Type.Array(Type.String(), { description: 'The resolvers that the node asked.' }),
      addresses: Type.Array(Type.String(), { description: 'The addresses that DNS has for the host name.' }),
      findings: Type.Array(OutsideFinding, { description: 'What was found, problems first.' }),
    },
    { additionalProperties: false },
  ),
);
export type OutsideCheck = Static<typeof OutsideCheck>;

export const exampleOutsideCheck: OutsideCheck = {
  ingress: exampleIngress.id,
  hostname: exampleIngress.hostname,
  verdict: 'partly',
  node: exampleIngress.assigned_to[0]?.node ?? '',
  name: 'laptop-3',
  at: '2026-11-15T09:40:00Z',
  resolvers: ['192.0.2.53'],
  addresses: ['198.51.100.4', '203.0.113.9'],
  findings: [
    {
      finding: 'unreachable',
      level: 'problem',
      summary:
        '203.0.113.9 port 443 does not answer (timed out). DNS leads there, and no gateway reports this address.',
      remedy: 'Remove the record 203.0.113.9, or have the load balancer or router there pass port 443 on to a gateway.',
      address: '203.0.113.9',
      port: 443,
      gateway: null,
    },
    {
      finding: 'served',
      level: 'good',
      summary: '198.51.100.4 port 443 is gateway gw-1, generation 3f2a9c0d.',
      remedy: null,
      address: '198.51.100.4',
      port: 443,
      gateway: 'gw-1',
    },
  ],
};
