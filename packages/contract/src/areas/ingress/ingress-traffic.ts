/** How much comes to an ingress, and how it goes: of the last hour, as gateways counted it. */
import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { STATUS_CLASSES } from '../../traffic-words.ts';
import { type Static, Type } from '../../type.ts';
import { exampleIngress } from './ingress-record.ts';

const Count = (description: string) => Type.Integer({ description });
const Milliseconds = (what: string) =>
  maybe(Type.Number(), `In milliseconds, ${what}, by the buckets of the gateways. Null: there was no request.`);

const Classes = (description: string) =>
  Type.Object(
    Object.fromEntries(STATUS_CLASSES.map((name) => [name, Count('Requests.')])) as Record<
      (typeof STATUS_CLASSES)[number],
      ReturnType<typeof Count>
    >,
    { additionalProperties: false, description },
  );

const rates = {
  requests: Count('Requests that were answered.'),
  per_s: Type.Number({ description: 'Requests a second.' }),
  classes: Classes('Requests by the class of their status. `other`: it has none.'),
  statuses: Type.Array(
    Type.Object(
      { status: Type.Integer({ description: 'The status.' }), requests: Count('Requests.') },
      { additionalProperties: false },
    ),
    { description: 'Some statuses one by one, such as 404 and 503.' },
  ),
  p50_ms: Milliseconds('within which half of the requests were answered'),
  p95_ms: Milliseconds('within which 95 of 100 were'),
  p99_ms: Milliseconds('within which 99 of 100 were'),
  upstream_ms: maybe(Type.Number(), 'How long nodes of the service took in the mean. Null: none was asked.'),
  bytes_in: Count('Bytes from clients.'),
  bytes_out: Count('Bytes to clients.'),
};
const TrafficRates = named(
  'TrafficRates',
  Type.Object(rates, { additionalProperties: false, description: 'How much came, and how it went.' }),
);
export type TrafficRates = Static<typeof TrafficRates>;

const TrafficGateway = Type.Object(
  {
    node: NodeIdText,
    name: NodeName,
    since: maybe(Timestamp('From when on its requests are in the answer, within the window. Null: none are.')),
    reported_at: maybe(Timestamp('When this coordinator last received its counts. Null: never.')),
    problem: maybe(Type.String(), 'Why its requests are missing, or some of them. Null: they are not.'),
  },
  { additionalProperties: false },
);

export const IngressTraffic = named(
  'IngressTraffic',
  Type.Object(
    {
      ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
      from: Timestamp('When the window begins.'),
      to: Timestamp('When it ends.'),
      gateways: Type.Array(TrafficGateway, { description: 'Those of the ingress, with what is known of each.' }),
      total: TrafficRates,
      routes: Type.Array(
        Type.Object(
          {
            route: maybe(Type.String(), 'Path of the route. Null: none, such as redirects.'),
            traffic: TrafficRates,
          },
          { additionalProperties: false },
        ),
        { description: 'The busiest first.' },
      ),
      step_s: Type.Integer({ description: 'Seconds from one point to the next.' }),
      points: Type.Array(
        Type.Object(
          {
            at: Timestamp('When its step begins.'),
            requests: Count('Requests in it.'),
            errors: Count('Those of them with a status of 5xx.'),
            classes: Classes('Requests in it by the class of their status.'),
          },
          { additionalProperties: false },
        ),
        { description: 'The whole window, in order.' },
      ),
    },
    { additionalProperties: false },
  ),
);
export type IngressTraffic = Static<typeof IngressTraffic>;

/** The same in short, for many ingresses at once. */
export const IngressRates = named(
  'IngressRates',
  Type.Object(
    {
      ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
      from: Timestamp('When the window begins.'),
      to: Timestamp('When it ends.'),
      requests: Count('Requests that were answered.'),
      errors: Count('Those of them with a status of 5xx.'),
      per_s: Type.Number({ description: 'Requests a second.' }),
      step_s: Type.Integer({ description: 'Seconds from one point to the next.' }),
      points: Type.Array(
        Type.Object(
          { requests: Count('Requests in the step.'), errors: Count('Those of them with a status of 5xx.') },
          { additionalProperties: false },
        ),
        { description: 'The whole window, in order. The first begins with it.' },
      ),
      problem: maybe(
        Type.String(),
        'Why requests are missing, or some of them, with the names of gateways. Null: they are not.',
      ),
    },
    { additionalProperties: false, description: 'How much came to an ingress, in short.' },
  ),
);
export type IngressRates = Static<typeof IngressRates>;

const exampleRates: TrafficRates = {
  requests: 900,
  per_s: 15,
  classes: { '1xx': 0, '2xx': 880, '3xx': 10, '4xx': 8, '5xx': 2, other: 0 },
  statuses: [
    { status: 404, requests: 8 },
    { status: 503, requests: 2 },
  ],
  p50_ms: 12,
  p95_ms: 80,
  p99_ms: 240,
  upstream_ms: 9.5,
  bytes_in: 720_000,
  bytes_out: 41_000_000,
};

function pointOf(errors: number) {
  return {
    requests: 225,
    errors,
    classes: { '1xx': 0, '2xx': 225 - errors, '3xx': 0, '4xx': 0, '5xx': errors, other: 0 },
  };
}

export const exampleIngressTraffic: IngressTraffic = {
  ingress: exampleIngress.id,
  from: '2026-11-15T09:39:00Z',
  to: '2026-11-15T09:40:00Z',
  gateways: [
    {
      node: exampleIngress.assigned_to[0]?.node ?? '',
      name: 'gw-1',
      since: '2026-11-15T09:39:00Z',
      reported_at: '2026-11-15T09:39:55Z',
      problem: null,
    },
  ],
  total: exampleRates,
  routes: [{ route: '/', traffic: exampleRates }],
  step_s: 15,
  points: [0, 15, 30, 45].map((second) => ({
    at: `2026-11-15T09:39:${String(second).padStart(2, '0')}Z`,
    ...pointOf(second === 30 ? 2 : 0),
  })),
};

export const exampleIngressRates: IngressRates = {
  ingress: exampleIngress.id,
  from: exampleIngressTraffic.from,
  to: exampleIngressTraffic.to,
  requests: 900,
  errors: 2,
  per_s: 15,
  step_s: 15,
  points: exampleIngressTraffic.points.map(({ requests, errors }) => ({ requests, errors })),
  problem: null,
};
