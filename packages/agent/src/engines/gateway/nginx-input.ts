import type { IngressAssignment } from '@meshwork/contract';
import type { WafInput } from './waf/waf-input.ts';

export interface GatewayPorts {
  readonly http_port: number;
  readonly https_port: number;
  /** Networks of load balancers that put the PROXY protocol before every connection. Absent or empty: there are none. */
  readonly proxy_protocol?: readonly string[] | undefined;
}

export interface NginxInput extends GatewayPorts {
  /** Path of the gateway's folder. */
  readonly folder: string;
  /** Only what can be served: see `served-streams.ts`. */
  readonly section: readonly IngressAssignment[];
  /** Ids of ingresses whose certificate is in its file. The others get no TLS. */
  readonly certified: ReadonlySet<string>;
  /** What nodes have to be certified by, in PEM. Undefined: not known, and no node is spoken to by TLS. */
  readonly ca: string | undefined;
  /** Revocation lists of every authority of the mesh, in PEM. Absent: they are not known, or no certificate of a client is checked. */
  readonly lists?: string | undefined;
  /** Whether the host has IPv6. */
  readonly ipv6: boolean;
  /** Absent: no route is inspected. */
  readonly waf?: WafInput | undefined;
  /** How many files a process may have open at most. */
  readonly open_files: number;
}
