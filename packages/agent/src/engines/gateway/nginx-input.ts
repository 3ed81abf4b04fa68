import type { IngressAssignment } from '@meshwork/contract';

export interface GatewayPorts {
  readonly http_port: number;
  readonly https_port: number;
}

export interface NginxInput extends GatewayPorts {
  /** Path of the gateway's folder. */
  readonly folder: string;
  readonly section: readonly IngressAssignment[];
  /** Ids of ingresses whose certificate is in its file. The others get no TLS. */
  readonly certified: ReadonlySet<string>;
  /** What nodes have to be certified by, in PEM. Undefined: not known, and no node is spoken to by TLS. */
  readonly ca: string | undefined;
  /** Whether the host has IPv6. */
  readonly ipv6: boolean;
  /** How many files a process may have open at most. */
  readonly open_files: number;
}
