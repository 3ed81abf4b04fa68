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
import { givenBy, isFor } from '../../mesh/given-certificates.ts';
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

/** The change with the id of a given certificate in place of its name. Read in the transaction: it cannot be deleted meanwhile. */
export function namedCertificate<C extends Pick<Change, 'tls'>>(view: View, change: C, asked: Asked): C {
  const ref = change.tls?.certificate;
  if (ref === undefined || OWN_INGRESS_CERTIFICATES.some((own) => own === ref)) return change;
  return { ...change, tls: { ...change.tls, certificate: certificateFor(view, ref, asked) } };
}

/** A certificate whose scope covers that of the ingress, and that the caller sees. */
function certificateFor(view: View, ref: string, { actor, scope, known }: Asked): string {
  if (ref === known) return ref;
  const may = (other: Scope) => covers(other, scope) && (covers(actor.scope, other) || covers(other, actor.scope));
  const byId = view.get('given_certificate', ref);
  if (byId !== undefined && may(byId.body.scope)) return byId.id;
  const named = [...view.all('given_certificate')].filter(({ body }) => body.name === ref && may(body.scope));
  const [found] = named;
  if (found === undefined) {
    throw invalid(
      POINTER,
      `"${ref}" is neither mesh, none, nor a given certificate whose scope covers that of the ingress`,
    );
  }
  if (named.length > 1)
    throw invalid(POINTER, `${named.length} given certificates are named "${ref}": use the id of one`);
  return found.id;
}

/** Clients refuse a certificate that is not for the name that they asked for. */
export function faultsOfCertificate(view: View, ingress: WholeIngress): FieldError[] {
  const given = givenBy(ingress);
  if (given === undefined) return [];
  const certificate = view.get('given_certificate', given)?.body;
  if (certificate === undefined) return [{ pointer: POINTER, detail: 'is the id of no given certificate' }];
  if (isFor(certificate.names, ingress.hostname)) return [];
  const names = certificate.names.slice(0, 5).join(', ');
  const detail = `"${certificate.name}" is for ${names}${certificate.names.length > 5 ? ', …' : ''}, and not for ${ingress.hostname}`;
  return [{ pointer: POINTER, detail }];
}
