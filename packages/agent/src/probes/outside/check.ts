/**
 * Tries an ingress as people outside do: the host name by the resolvers that the host has beside the mesh, then every address that
 * these say, and the public ones that gateways report. Nothing else is reached by this (`permitted.ts`), and the proof that is asked for
 * is harmless: what a gateway shows is not known here, so only the coordinator can tell whether it is the right one.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { CheckedPlace, IngressCheckProbe, IngressCheckResult } from '@meshwork/contract';
import { MAX_CHECKED_GATEWAYS, MAX_CHECKS } from '@meshwork/contract/vocabulary';
import { lookUp } from './look-up.ts';
import { isPermitted } from './permitted.ts';
import { type Place, tryPlace } from './try-place.ts';

interface CheckOptions {
  /** With a port where it is not the usual one. */
  readonly resolvers: readonly string[];
  /** Of this node in the mesh. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  /** For tests, which have no public addresses. */
  readonly permits?: (address: string) => boolean;
}

/** Ours: what has not answered by then does not for people either. */
const PLACE_WITHIN_MS = 3000;
const HOSTNAME = /^[a-z0-9_.:-]{1,253}$/;

export async function checkIngress(probe: IngressCheckProbe, options: CheckOptions): Promise<IngressCheckResult> {
  const { hostname, token, roots, within_ms } = probe;
  if (!HOSTNAME.test(hostname)) throw new Error(`${JSON.stringify(hostname)} is not a host name`);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(within_ms)]);
  const { resolvers } = options;
  const found = await lookUp(hostname, { resolvers, signal });
  const reported = new Set(probe.gateways.map(({ address }) => address));
  const permits = options.permits ?? ((address) => isPermitted(address, { reported, own: options.addresses }));
  const context = createSecureContext({ ca: [...rootCertificates, ...roots] });
  const mesh_roots = new Set(roots.map((pem) => new X509Certificate(pem).fingerprint256));
  const asking = { hostname, token, context, mesh_roots, within_ms: Math.min(PLACE_WITHIN_MS, within_ms), signal };
  const places = await Promise.all(
    placesOf(probe, found.addresses).map(async ({ in_dns, ...place }): Promise<CheckedPlace> => {
      if (!permits(place.address)) return { ...place, in_dns, outcome: 'forbidden' };
      return { ...place, in_dns, ...(await tryPlace(place, asking)) };
    }),
  );
  return { resolvers: [...resolvers], ...found, places };
}

/** Each once, those that DNS leads to first. */
function placesOf({ checks, gateways }: IngressCheckProbe, addresses: readonly string[]) {
  const places = new Map<string, Place & { readonly in_dns: boolean }>();
  const add = (address: string, wanted: IngressCheckProbe['checks'], in_dns: boolean) => {
    for (const { protocol, port } of wanted) {
      const key = `${protocol} ${address} ${port}`;
      if (!places.has(key)) places.set(key, { address, port, protocol, in_dns });
    }
  };
  for (const address of addresses) add(address, checks, true);
  for (const gateway of gateways.slice(0, MAX_CHECKED_GATEWAYS)) add(gateway.address, gateway.checks, false);
  return [...places.values()].slice(0, MAX_CHECKS);
}
