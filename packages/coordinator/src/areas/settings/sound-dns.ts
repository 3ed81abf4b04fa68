import { kindOfAddress, plainAddress } from '@meshwork/addresses';
import { type FieldError, MESH_DOMAIN, type Settings } from '@meshwork/contract';
import { splitEntry } from '../../mesh/routing-domains.ts';

/** Ours: each is asked in turn while a program waits. */
const MAX_RESOLVERS = 4;
const HOST = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const LONGEST_HOST = 253;
/** The mesh answers for its own; the others never leave a host or its network (RFC 6761, RFC 6762). */
const NOT_FORWARDED = [MESH_DOMAIN, 'localhost', 'local', 'invalid'];

/** Every node sends queries to these resolvers, and believes what they answer. */
export function faultsOfDns({ routing_domains, allow_special_addresses }: Settings['dns']): readonly FieldError[] {
  const resolvers = new Map<string, number>();
  return routing_domains.flatMap((entry, index) => {
    const [domain, resolver] = splitEntry(entry);
    const count = (resolvers.get(domain) ?? 0) + 1;
    resolvers.set(domain, count);
    const detail =
      faultOfDomain(domain) ??
      faultOfResolver(resolver, allow_special_addresses) ??
      (count > MAX_RESOLVERS ? `"${domain}" has more than ${MAX_RESOLVERS} resolvers` : undefined);
    return detail === undefined ? [] : [{ pointer: `/dns/routing_domains/${index}`, detail }];
  });
}

function faultOfDomain(domain: string): string | undefined {
  if (domain.length > LONGEST_HOST || !HOST.test(domain)) {
    return `"${domain}" must be a domain such as corp.example.org, in lower case and without a dot at the end`;
  }
  const top = domain.slice(domain.lastIndexOf('.') + 1);
  if (NOT_FORWARDED.includes(top)) return `"${domain}" must not be in "${top}", which is never forwarded`;
  return /^\d+$/.test(top) ? `"${domain}" must be a domain, not an address` : undefined;
}

function faultOfResolver(resolver: string, allowSpecial: boolean): string | undefined {
  const plain = plainAddress(resolver);
  if (plain === null) return `"${resolver}" must be the IP address of a resolver`;
  if (plain !== resolver) return `"${resolver}" must be spelled ${plain}`;
  if (allowSpecial || kindOfAddress(resolver) !== 'unusable') return undefined;
  return `${resolver} is a loopback, link-local, multicast or metadata address; the setting dns.allow_special_addresses allows those`;
}
