import { isIP } from 'node:net';
import {
  type BodyOf,
  covers,
  type FieldError,
  invalid,
  type Operations,
  OWN_INGRESS_CERTIFICATES,
  type Scope,
} from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import { authorityOf, givenBy, isFor } from '../../mesh/given-certificates.ts';
import type { View } from '../../mesh/model.ts';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';

type Change = BodyOf<Operations['ingress.update']>;
const POINTER = '/tls/certificate';

interface Asked {
  readonly actor: TokenActor;
  /** Of the ingress. */
  readonly scope: Scope;
  /** The one that it shows already: it may be named again, also where the caller does not see it. */
  readonly known: string | undefined;
}

/**
 * The change with the id of a given certificate or of an outside authority in place of its name. Read in the transaction: neither can be
 * deleted meanwhile.
 */
export function namedCertificate<C extends Pick<Change, 'tls'>>(view: View, change: C, asked: Asked): C {
  const ref = change.tls?.certificate;
  if (ref === undefined || OWN_INGRESS_CERTIFICATES.some((own) => own === ref)) return change;
  return { ...change, tls: { ...change.tls, certificate: certificateFor(view, ref, asked) } };
}

/** One whose scope covers that of the ingress, and that the caller sees. */
function certificateFor(view: View, ref: string, { actor, scope, known }: Asked): string {
  if (ref === known) return ref;
  const may = (other: Scope) => covers(other, scope) && (covers(actor.scope, other) || covers(other, actor.scope));
  for (const kind of ['given_certificate', 'outside_authority'] as const) {
    const byId = view.get(kind, ref);
    if (byId !== undefined && may(byId.body.scope)) return notOrdered(view, byId.id);
  }
  const given = [...view.all('given_certificate')].filter(
    // What an authority issued is shown by naming the authority.
    ({ id, body }) => body.name === ref && may(body.scope) && view.get('certificate_order', id) === undefined,
  );
  const outside = [...view.all('outside_authority')].filter(({ body }) => body.name === ref && may(body.scope));
  const [found, ...others] = [...given, ...outside];
  if (found === undefined) {
    throw invalid(
      POINTER,
      `"${ref}" is neither mesh, none, nor a given certificate or outside authority whose scope covers that of the ingress`,
    );
  }
  if (others.length > 0) {
    throw invalid(
      POINTER,
      `${others.length + 1} given certificates or outside authorities are named "${ref}": use the id of one`,
    );
  }
  return found.id;
}

function notOrdered(view: View, id: string): string {
  const order = view.get('certificate_order', id)?.body;
  if (order === undefined) return id;
  throw invalid(POINTER, `is a certificate that an outside authority issued for ${order.hostname}: name the authority`);
}

/** Clients refuse a certificate that is not for the name that they asked for. */
export function faultsOfCertificate(view: View, ingress: WholeIngress): FieldError[] {
  const given = givenBy(ingress);
  if (given === undefined) return [];
  if (authorityOf(ingress) !== undefined) return faultsOfOrder(ingress);
  const certificate = view.get('given_certificate', given)?.body;
  if (certificate === undefined) return [{ pointer: POINTER, detail: 'is the id of no given certificate' }];
  if (isFor(certificate.names, ingress.hostname)) return [];
  const names = certificate.names.slice(0, 5).join(', ');
  const detail = `"${certificate.name}" is for ${names}${certificate.names.length > 5 ? ', …' : ''}, and not for ${ingress.hostname}`;
  return [{ pointer: POINTER, detail }];
}

/** Gateways answer for one host name. What proves more, a record in DNS, they cannot set (docs/decisions/0082). */
function faultsOfOrder({ hostname }: WholeIngress): FieldError[] {
  const wrong = (what: string) => [
    { pointer: POINTER, detail: `names an outside authority, and ${hostname} is ${what}: bring a certificate for it` },
  ];
  if (hostname.startsWith('*')) return wrong('a wildcard, which has to be proven in DNS');
  if (isIP(hostname) !== 0) return wrong('an address, and no host name');
  return hostname.includes('.') ? [] : wrong('no public host name');
}
