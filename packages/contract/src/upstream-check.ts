/** How gateways find out whether a node of a service answers. Said by operators, and sent to gateways. */
import { maybe } from './maybe.ts';
import { named } from './named.ts';
import { Strict } from './operation.ts';
import { type Static, Type } from './type.ts';

const CHECK_KINDS = ['tcp', 'http', 'grpc', 'none'] as const;

/** A path, with what may follow it. Nothing in it means anything to a server but itself. */
export const PATH_PATTERN = '^/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$';

const kind = Type.Enum(CHECK_KINDS, {
  description:
    '`tcp`: it takes connections. `http`: it answers a GET as it should. `grpc`: it says by the health protocol of gRPC that it serves. `none`: it is not asked, and counts as up until requests fail.',
});
const path = Type.String({ maxLength: 200, pattern: PATH_PATTERN, description: 'What an `http` check asks for.' });
const status = Type.String({
  pattern: '^[1-5][0-9]{2}(?:-[1-5][0-9]{2})?$',
  description: 'Which status an `http` check takes for a pass: `200`, `200-399`.',
});
const body = maybe(
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }),
  'What the body of the answer has to contain, in its first 64 KiB. Null: anything.',
);
const grpc_service = maybe(
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_.-]+$' }),
  'Which service a `grpc` check asks about. Null: the program as a whole.',
);
const interval_s = Type.Integer({ minimum: 1, maximum: 300, description: 'Seconds between two checks of a node.' });
const timeout_s = Type.Integer({ minimum: 1, maximum: 60, description: 'Seconds after which a check has failed.' });
const rise = Type.Integer({ minimum: 1, maximum: 20, description: 'Passes in a row after which it is up again.' });
const fall = Type.Integer({ minimum: 1, maximum: 20, description: 'Failures in a row after which it is down.' });

export const UpstreamCheck = named(
  'UpstreamCheck',
  Type.Object(
    { kind, path, status, body, grpc_service, interval_s, timeout_s, rise, fall },
    { additionalProperties: false, description: 'How gateways find out whether a node of the service answers.' },
  ),
);
export type UpstreamCheck = Static<typeof UpstreamCheck>;

/** What a caller says of it. The rest is as it was. */
export const UpstreamCheckChange = Strict(
  {
    kind: Type.Optional(kind),
    path: Type.Optional(path),
    status: Type.Optional(status),
    body: Type.Optional(body),
    grpc_service: Type.Optional(grpc_service),
    interval_s: Type.Optional(interval_s),
    timeout_s: Type.Optional(timeout_s),
    rise: Type.Optional(rise),
    fall: Type.Optional(fall),
  },
  { description: 'How gateways find out whether a node of the service answers. Name only what differs.' },
);
