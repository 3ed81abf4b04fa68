import { maybe } from './maybe.ts';
import { NodeIdText } from './node-fields.ts';
import { Strict } from './operation.ts';
import { Timestamp } from './timestamp.ts';
import { type Static, Type } from './type.ts';

/** How gateways speak to a service. The last two are bytes that a gateway does not look into. */
export const UPSTREAM_PROTOCOLS = ['http', 'https', 'grpc', 'grpcs', 'tcp', 'udp'] as const;

/** `unknown`: it has not been checked yet, and gets no request before it was. */
const UPSTREAM_STATES = ['up', 'down', 'unknown'] as const;
export type UpstreamState = (typeof UPSTREAM_STATES)[number];

/** What a gateway found of one node that it sends requests to. */
export const UpstreamHealth = Strict(
  {
    service: Type.String({ maxLength: 63, description: 'The service.' }),
    node: NodeIdText,
    state: Type.Enum(UPSTREAM_STATES, {
      description: '`up`: it gets requests. `down`: its check fails. `unknown`: it has not been checked yet.',
    }),
    since: Timestamp('Since when, by the gateway’s clock.'),
    why: maybe(Type.String({ maxLength: 200 }), 'Why its last check failed. Null: it passed, or there was none.'),
  },
  { description: 'What a gateway found of one node that it sends requests to.' },
);
export type UpstreamHealth = Static<typeof UpstreamHealth>;
