/**
 * Whether people outside reach an ingress: one node tries it from outside (`ingress_check`), while its gateways show a proof there that
 * only they and the coordinator know (`ingress_proof`). The node that tries is not sent the proofs.
 */
import { idPattern } from '../ids.ts';
import { Strict } from '../operation.ts';
import { type Static, Type } from '../type.ts';
import {
  CHECK_OUTCOMES,
  CHECK_PROTOCOLS,
  CHECK_TRUST,
  DNS_FAULTS,
  MAX_CHECKED_GATEWAYS,
  MAX_CHECKS,
  MAX_DNS_ADDRESSES,
} from './probe-kinds.ts';

const Secret = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{16,86}$', description });
const Address = (description: string) => Type.String({ maxLength: 45, description });
const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'Where.' });
const Words = (description: string) => Type.String({ maxLength: 200, description });
const WithinMs = Type.Integer({ minimum: 1, maximum: 10_000, description: 'How long all of it may take.' });

export const IngressProofProbe = Strict(
  {
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    token: Secret('What it is asked for by.'),
    answer: Secret('What it then shows. Random, and for this gateway alone.'),
    for_s: Type.Integer({ minimum: 1, maximum: 60, description: 'How long.' }),
  },
  { description: 'Show a proof to those who ask an ingress of the gateway for it.' },
);

export const IngressProofResult = Strict(
  { generation: Type.String({ maxLength: 64, description: 'Which configuration serves.' }) },
  { description: 'It is shown.' },
);

const Check = Strict({ protocol: Type.Enum(CHECK_PROTOCOLS, { description: 'What is spoken there.' }), port: Port });

export const IngressCheckProbe = Strict(
  {
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    hostname: Type.String({ maxLength: 253, description: 'What is looked up, and asked for.' }),
    checks: Type.Array(Check, { maxItems: 2, description: 'What is tried at each address of DNS.' }),
    gateways: Type.Array(
      Strict({
        address: Address('An address that a gateway reports.'),
        checks: Type.Array(Check, {
          maxItems: 2,
          description: 'What is tried there, whatever DNS says. Empty: only what DNS leads there for.',
        }),
      }),
      {
        maxItems: MAX_CHECKED_GATEWAYS,
        description: 'Addresses of gateways. A private address is tried only if it is one.',
      },
    ),
    token: Secret('What gateways are asked for their proof by.'),
    roots: Type.Array(Type.String({ maxLength: 8192 }), { maxItems: 8, description: 'Of the mesh CA, in PEM.' }),
    within_ms: WithinMs,
  },
  { description: 'Try an ingress as people outside do: by public DNS, and at the public addresses of its gateways.' },
);
export type IngressCheckProbe = Static<typeof IngressCheckProbe>;

const SeenCertificate = Strict(
  {
    names: Type.Array(Type.String({ maxLength: 260 }), { maxItems: 20, description: 'That it is for.' }),
    fits: Type.Boolean({ description: 'Whether the host name is one of them.' }),
    not_before: Words('From when.'),
    not_after: Words('Until when.'),
    issuer: Words('Who signed it.'),
    trusted_by: Type.Enum(CHECK_TRUST, {
      description: '`public`: browsers do. `mesh`: those that trust the mesh CA. `none`: neither, for `why`.',
    }),
    why: Type.Optional(Words('Why it is not trusted. Absent: it is.')),
  },
  { description: 'The certificate that was shown.' },
);

const CheckedPlace = Strict(
  {
    address: Address('The address.'),
    port: Port,
    protocol: Type.Enum(CHECK_PROTOCOLS, { description: 'What was spoken.' }),
    in_dns: Type.Boolean({ description: 'Whether DNS leads there.' }),
    outcome: Type.Enum(CHECK_OUTCOMES, {
      description:
        '`no_tls`: it takes connections, and no handshake succeeds. `no_http`: what answers is no HTTP, or nothing does. `forbidden`: it was not tried, as no one outside may be there.',
    }),
    detail: Type.Optional(Words('In the words of the operating system.')),
    certificate: Type.Optional(SeenCertificate),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 999, description: 'Of the HTTP answer.' })),
    answer: Type.Optional(Secret('The proof that was shown.')),
    generation: Type.Optional(
      Type.String({ maxLength: 64, description: 'Which configuration the gateway says it serves.' }),
    ),
  },
  { description: 'What came of one try.' },
);
export type CheckedPlace = Static<typeof CheckedPlace>;

export const IngressCheckResult = Strict(
  {
    resolvers: Type.Array(Address('Of a resolver.'), { maxItems: 8, description: 'Which were asked.' }),
    addresses: Type.Array(Address('An address.'), {
      maxItems: MAX_DNS_ADDRESSES,
      description: 'What DNS says, IPv4 first.',
    }),
    left_out: Type.Integer({ minimum: 0, maximum: 1000, description: 'Addresses of DNS beyond those.' }),
    dns_fault: Type.Optional(Type.Enum(DNS_FAULTS, { description: 'Why there are none. Absent: there are some.' })),
    dns_detail: Type.Optional(Words('In other words.')),
    places: Type.Array(CheckedPlace, { maxItems: MAX_CHECKS, description: 'Each try.' }),
  },
  { description: 'How the ingress looks from outside.' },
);
export type IngressCheckResult = Static<typeof IngressCheckResult>;
