/**
 * The certificates of ingresses that gateways show to clients, as several areas touch them: agents bring the public half of their
 * key, gateways are sent the chains. Signing is in `areas/ca/`, and what revokes them in `node-certificates.ts`.
 */
import { hash } from 'node:crypto';
import { type CertificateId, type NodeId, utc } from '@meshwork/contract';
import type { Stored, View } from './model.ts';
import type { Transaction } from './transaction.ts';

/** A gateway that changes its key more often waits: each certificate is kept until it expires, one for every ingress. */
export const KEYS_APART_MS = 30_000;

/** The certificate request of a gateway, if it is not known yet. An agent repeats what it says until it was answered. */
export function newGatewayRequest(view: View, node: NodeId, request: string | undefined): string | undefined {
  if (request === undefined) return undefined;
  const known = view.get('gateway_certificate', node)?.body.request_sha256;
  return known === hash('sha256', request) ? undefined : request;
}

/** Keeps the key of a gateway. It goes on with what it has for its old key until there is something for the new one. */
export function keepGatewayRequest(tx: Transaction, node: Stored<'node'>, request: string): void {
  const before = tx.get('gateway_certificate', node.id)?.body;
  const earliest_ms = before === undefined ? 0 : Date.parse(before.requested_at) + KEYS_APART_MS;
  // A request of the future was kept while a clock was wrong, and holds nothing up.
  const from_ms = earliest_ms > tx.now_ms + KEYS_APART_MS ? tx.now_ms : Math.max(tx.now_ms, earliest_ms);
  tx.put('gateway_certificate', node.id, {
    request,
    request_sha256: hash('sha256', request),
    requested_at: utc(tx.now_ms),
    signed_from: utc(from_ms),
    refused: null,
    current: {},
    before: { ...before?.before, ...before?.current },
  });
}

/** The certificate that a gateway has for an ingress and its newest key. Undefined: there is none. */
export function currentFor(view: View, gateway: string, ingress: string): Stored<'certificate'> | undefined {
  return certificateOf(view, view.get('gateway_certificate', gateway)?.body.current[ingress]);
}

/** The certificate that a gateway should show for an ingress: if need be, for a key that it had before. Undefined: none. */
export function shownFor(view: View, gateway: string, ingress: string): Stored<'certificate'> | undefined {
  const before = view.get('gateway_certificate', gateway)?.body.before[ingress];
  return currentFor(view, gateway, ingress) ?? certificateOf(view, before);
}

function certificateOf(view: View, id: CertificateId | undefined): Stored<'certificate'> | undefined {
  return id === undefined ? undefined : view.get('certificate', id);
}
