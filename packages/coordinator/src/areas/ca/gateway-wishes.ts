/** Which certificates of ingresses a gateway should have, and which of those that it has it must lose. */
import type { IngressId, NodeId, Scope } from '@meshwork/contract';
import { earliest } from '../../duties/earliest.ts';
import { uncertified, wantsCertificate } from '../../issuing/gateway-names.ts';
import { isOfTheFuture } from '../../issuing/lifetimes.ts';
import type { CertificateDocument } from '../../kinds/ca.ts';
import { currentFor, KEYS_APART_MS } from '../../mesh/gateway-certificates.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { certificatesOf } from '../../mesh/node-certificates.ts';
import { isMember } from '../../mesh/node-state.ts';
import { isDue, renewalOf } from './sections.ts';

/** A certificate that is to be signed. */
export interface Wish {
  readonly gateway: NodeId;
  readonly ingress: IngressId;
  readonly hostname: string;
  readonly scope: Scope;
  /** The key that it is for. */
  readonly request: string;
}

/** A gateway and an ingress at a moment. */
interface At {
  readonly gateway: NodeId;
  readonly ingress: string;
  readonly now_ms: number;
}

/**
 * The certificate that a gateway lacks for an ingress, or has to renew. Undefined: none. It is asked before signing and once more
 * where the certificate is written down, so that two coordinators never issue the same one.
 */
export function wishOf(view: View, issuer: Stored<'authority'>, at: At): Wish | undefined {
  const { gateway, ingress, now_ms } = at;
  const own = view.get('gateway_certificate', gateway)?.body;
  const body = shownBy(view, gateway, ingress);
  if (own?.request == null || own.refused !== null || body === undefined) return undefined;
  const { hostname, scope } = body;
  if (heldUntil(view, gateway, now_ms) !== undefined || uncertified(issuer, hostname) !== null) return undefined;
  const current = currentFor(view, gateway, ingress);
  const isGood = current?.body.names.dns.includes(hostname) === true && !isDue(view, current, now_ms);
  return isGood ? undefined : { gateway, ingress: ingress as IngressId, hostname, scope, request: own.request };
}

/** Certificates of a gateway for ingresses that it does not serve any more, or that have another name or no TLS by now. */
export function leftOver(view: View, gateway: NodeId, now_ms: number): readonly Stored<'certificate'>[] {
  return certificatesOf(view, gateway).all.flatMap((id) => {
    const certificate = view.get('certificate', id);
    const [ingress] = certificate?.body.of_ingresses?.ids ?? [];
    if (certificate === undefined || ingress === undefined) return [];
    const { serial, not_after, names } = certificate.body;
    if (view.get('revocation', serial) !== undefined || Date.parse(not_after) <= now_ms) return [];
    const hostname = shownBy(view, gateway, ingress)?.hostname;
    return hostname !== undefined && names.dns.includes(hostname) ? [] : [certificate];
  });
}

/** When time alone makes a certificate of a gateway due. */
export interface NextRenewal {
  readonly at_ms: number;
  /** Its newest certificate: it is due at once when a clock that was wrong is set back. */
  readonly newest: CertificateDocument | undefined;
}

/** Undefined: time changes nothing. What is due already and could not be renewed is left to the next change. */
export function nextRenewalOf(view: View, gateway: NodeId, now_ms: number): NextRenewal | undefined {
  const ids = Object.values(view.get('gateway_certificate', gateway)?.body.current ?? {});
  const current = ids.flatMap((id) => view.get('certificate', id) ?? []);
  const waiting = current.filter((certificate) => !isDue(view, certificate, now_ms));
  const at_ms = earliest([
    ...waiting.map((certificate) => renewalOf(view, certificate)),
    heldUntil(view, gateway, now_ms) ?? Number.POSITIVE_INFINITY,
  ]);
  if (at_ms === undefined || at_ms === Number.POSITIVE_INFINITY) return undefined;
  const newest = waiting.reduce<CertificateDocument | undefined>(
    (last, { body }) => (last === undefined || body.not_before > last.not_before ? body : last),
    undefined,
  );
  return { at_ms, newest };
}

/** Whether one of its certificates is due by now. */
export function isDueBy({ at_ms, newest }: NextRenewal, now_ms: number): boolean {
  return at_ms <= now_ms || (newest !== undefined && isOfTheFuture(newest, now_ms));
}

/** The ingress, if the gateway shows a certificate of the mesh CA for it. */
function shownBy(view: View, gateway: NodeId, ingress: string): Stored<'ingress'>['body'] | undefined {
  const node = view.get('node', gateway)?.body;
  const body = view.get('ingress', ingress)?.body;
  if (node === undefined || body === undefined || !isMember(node) || !wantsCertificate(body)) return undefined;
  const gateways = view.get('placement', ingress)?.body.gateways ?? [];
  return gateways.some((one) => one.node === gateway) ? body : undefined;
}

/** Until when a gateway waits that changed its key too often. Undefined: it does not, or a clock was wrong. */
function heldUntil(view: View, gateway: NodeId, now_ms: number): number | undefined {
  const from_ms = Date.parse(view.get('gateway_certificate', gateway)?.body.signed_from ?? '');
  return from_ms > now_ms && from_ms <= now_ms + KEYS_APART_MS ? from_ms : undefined;
}
