import { addressOfEndpoint, kindOfAddress } from '@meshwork/addresses';
import type { CheckedPlace, IngressCheckResult } from '@meshwork/contract';
import { HTTP_PORT, HTTPS_PORT } from '../../../mesh/ingress-front.ts';
import type { View } from '../../../mesh/model.ts';
import type { WholeIngress } from '../../../mesh/whole-ingress.ts';

/** A gateway as the coordinator knows it while it is checked from outside. */
export interface GatewayFacts {
  readonly name: string;
  /** As it reports them. */
  readonly addresses: readonly string[];
  /** False: they are private, and only DNS can say that people are led there. */
  readonly is_public: boolean;
  readonly draining: boolean;
  /** False: it takes connections only from what stands in front of it. */
  readonly is_direct: boolean;
  /** Why it does not count as serving. Null: it serves. */
  readonly problem: string | null;
  /** What it shows to those who ask. Undefined: nothing, for `unproven`. */
  readonly answer: string | undefined;
  /** Null: it shows a proof, or such an ingress has none. */
  readonly unproven: string | null;
}

type Check = Pick<CheckedPlace, 'protocol' | 'port'>;

/** All that findings follow from. */
export interface OutsideFacts {
  readonly ingress: Pick<WholeIngress, 'kind' | 'hostname'>;
  /** What people use first, first. Empty: nothing can be tried. */
  readonly checks: readonly Check[];
  /** Name of the node that tried it. */
  readonly checker: string;
  readonly gateways: readonly GatewayFacts[];
  readonly seen: IngressCheckResult;
  readonly now_ms: number;
}

export interface ReadPlace extends CheckedPlace {
  /** The gateway that proved itself there. Undefined: none did. */
  readonly by: GatewayFacts | undefined;
}

/** People use the first check; others, such as plain HTTP beside HTTPS, are a convenience. */
export function isMain({ checks: [main] }: OutsideFacts, { protocol, port }: CheckedPlace): boolean {
  return protocol === main?.protocol && port === main.port;
}

/** The gateway that reports an address as its own. */
export function reporting({ gateways }: OutsideFacts, address: string): GatewayFacts | undefined {
  return gateways.find(({ addresses }) => addresses.includes(address));
}

export function recordsToMake({ ingress, gateways }: OutsideFacts): string {
  const own = gateways.filter(({ is_public }) => is_public).flatMap(({ addresses }) => addresses);
  if (own.length === 0)
    return `Make A or AAAA records for ${ingress.hostname} with the public addresses of its gateways.`;
  return `Make A or AAAA records for ${ingress.hostname}: ${own.join(', ')}.`;
}

/** What people outside connect to, the most important first. By UDP nothing answers that shows anything. */
export function checksOf({ kind, port, tls }: WholeIngress): readonly Check[] {
  if (kind === 'udp') return [];
  if (kind === 'tcp') return port === null ? [] : [{ protocol: 'tcp', port }];
  if (kind === 'tls') return [{ protocol: 'tcp', port: HTTPS_PORT }];
  const plain: Check = { protocol: 'http', port: HTTP_PORT };
  return tls.certificate === 'none' ? [plain] : [{ protocol: 'https', port: HTTPS_PORT }, plain];
}

/** The addresses at which a node says that peers find it: the public ones, or else those it has. */
export function addressesOf(view: View, node: string): Pick<GatewayFacts, 'addresses' | 'is_public'> {
  const endpoints = view.get('report', node)?.body.endpoints ?? [];
  const all = [...new Set(endpoints.flatMap((endpoint) => addressOfEndpoint(endpoint) ?? []))];
  const global = all.filter((address) => kindOfAddress(address) === 'global');
  if (global.length > 0) return { addresses: global, is_public: true };
  return { addresses: all.filter((address) => kindOfAddress(address) === 'private'), is_public: false };
}
