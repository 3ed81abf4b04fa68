/** What gateways count of the requests that they answered. Nothing of a request is in it: no path, no header, no address. */
import { idPattern } from './ids.ts';
import { maybe } from './maybe.ts';
import { Strict } from './operation.ts';
import { Timestamp } from './timestamp.ts';
import { MAX_COUNTED_STATUSES, MAX_TRAFFIC_COUNTS, STATUS_CLASSES, TIME_BOUNDS_S } from './traffic-words.ts';
import { type Static, Type } from './type.ts';
import { PATH_PATTERN } from './upstream-check.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const Counts = (length: number, description: string) =>
  Type.Array(Count('How many.'), { minItems: length, maxItems: length, description });

export const TrafficCount = Strict(
  {
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    route: maybe(
      Type.String({ maxLength: 200, pattern: PATH_PATTERN, description: 'Path of the route, as the record has it.' }),
      'Null: none, such as a redirect, or what was refused before it had one.',
    ),
    classes: Counts(STATUS_CLASSES.length, `Requests by the class of their status: ${STATUS_CLASSES.join(', ')}.`),
    statuses: Type.Array(
      Strict({
        status: Type.Integer({ minimum: 100, maximum: 599, description: 'The status.' }),
        count: Count('Requests with it.'),
      }),
      { maxItems: MAX_COUNTED_STATUSES, description: 'Some statuses one by one.' },
    ),
    times: Counts(
      TIME_BOUNDS_S.length + 1,
      `Requests by how long they took, from the first byte that came to the last that went: up to ${TIME_BOUNDS_S.join(', ')} seconds, and longer.`,
    ),
    bytes_in: Count('Received of clients, with headers.'),
    bytes_out: Count('Sent to clients, with headers.'),
    upstream_requests: Count('Requests that reached a node of a service.'),
    upstream_ms: Count('How long nodes took for these, all together.'),
  },
  { description: 'What came to a route of an ingress, since the counts began.' },
);
export type TrafficCount = Static<typeof TrafficCount>;

export const TrafficObserved = Strict(
  {
    epoch: Type.String({ pattern: '^[A-Za-z0-9_-]{8,40}$', description: 'Names the counts: others begin at zero.' }),
    since: Timestamp('When they began, by the clock of the node.'),
    counts: Type.Array(TrafficCount, {
      maxItems: MAX_TRAFFIC_COUNTS,
      description:
        'Those that changed since the last heartbeat that was answered; all of them in one that says everything.',
    }),
  },
  { description: 'Requests that the gateway has answered. Only of ingresses that it was asked to count.' },
);
export type TrafficObserved = Static<typeof TrafficObserved>;
