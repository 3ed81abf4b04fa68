import { kindOfAddress } from '@meshwork/addresses';
import type { Gateway } from './gateway.ts';

/** What a router is asked for. */
export interface WantedMapping {
  /** WireGuard's, of UDP. */
  readonly port: number;
  /** Outside, if it is free there: what it was before, so that peers find the node where they knew it. */
  readonly outside_port: number;
  /** Proves to a PCP router that the same host asks again: 12 bytes, in hexadecimal. */
  readonly nonce: string;
}

/** What a router says that it has done. */
export interface GrantedMapping {
  readonly address: string;
  readonly port: number;
  /** Null: until it is deleted. */
  readonly lifetime_s: number | null;
  /** How long the router has known its mappings. Null: it does not say. */
  readonly epoch_s: number | null;
  /** Where UPnP is spoken. Absent: by another protocol. */
  readonly control?: UpnpControl | undefined;
}

/** A service of a UPnP router. */
export interface UpnpControl {
  readonly url: string;
  readonly service: string;
}

/** A mapping, with all that is needed to renew and to delete it. */
export interface HeldMapping extends Pick<GrantedMapping, 'address' | 'port' | 'control'> {
  readonly method: MappingMethod;
  readonly gateway: Gateway;
  readonly inside_port: number;
  readonly nonce: string;
}

export const MAPPING_METHODS = ['PCP', 'NAT-PMP', 'UPnP'] as const;
export type MappingMethod = (typeof MAPPING_METHODS)[number];

/** One way to ask a router. All of them reject with the reason, in words, and within a bounded time. */
export interface MappingProtocol {
  readonly method: MappingMethod;
  /** Makes a mapping, or renews it. */
  map(gateway: Gateway, wanted: WantedMapping): Promise<GrantedMapping>;
  unmap(held: HeldMapping): Promise<void>;
  /** Asks without changing anything. `lost`: the router has it no more. Otherwise its epoch. */
  check(held: HeldMapping): Promise<{ readonly epoch_s: number | null } | 'lost'>;
}

/** RFC 6886, 3.3 and RFC 6887, 15: two hours are recommended. */
export const LIFETIME_S = 7200;
/** Ours: a router that grants less would be asked all the time. */
const MIN_LIFETIME_S = 60;

/** What we go by, whatever the router grants. */
export function soundLifetime(granted_s: number): number {
  if (granted_s < MIN_LIFETIME_S) throw new Error(`it grants a mapping for ${granted_s} s only`);
  return Math.min(granted_s, LIFETIME_S);
}

/** An address outside at which peers anywhere can find the router. */
export function publicAddress(address: string): string {
  const kind = kindOfAddress(address);
  if (kind === 'global') return address;
  if (kind === 'unusable') throw new Error(`it has no address outside (${address})`);
  throw new Error(`its address outside, ${address}, is private: another NAT stands before it`);
}
