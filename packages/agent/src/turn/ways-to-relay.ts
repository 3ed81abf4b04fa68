import type { RelaySection } from '@meshwork/contract';
import type { RelayTransport } from '@meshwork/contract/vocabulary';

/** A way to speak with a relay, at whichever of its addresses. */
export interface WayToRelay {
  readonly transport: RelayTransport;
  readonly port: number;
  /** What its certificate is checked by. `ca` absent: the authorities that the host trusts. */
  readonly tls?: { readonly servername: string; readonly ca?: readonly string[] };
}

/** Best first. `roots` of the mesh, in PEM. */
export function waysToRelay({ port, tls }: RelaySection, roots: readonly string[]): readonly WayToRelay[] {
  const plain: WayToRelay[] = [
    { transport: 'udp', port },
    { transport: 'tcp', port },
  ];
  if (tls === undefined) return plain;
  const ca = tls.trust === 'mesh' ? { ca: roots } : {};
  return [...plain, { transport: 'tls', port: tls.port, tls: { servername: tls.server_name, ...ca } }];
}
