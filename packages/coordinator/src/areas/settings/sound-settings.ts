import { overlaps, parseNetwork } from '@meshwork/addresses';
import { type FieldError, MESH_DOMAIN, MeshError, type Settings } from '@meshwork/contract';
import { faultsOfDns } from './sound-dns.ts';

/** The widest and the narrowest pool: below it there is an address to give out, above it no pool of anybody's own. */
const POOL_PREFIX = { widest: 8, narrowest: 30 };
/** Unique local addresses (RFC 4193), which any network may use. */
const UNIQUE_LOCAL = parseNetwork('fc00::/7');

/** What no schema can say: settings that fit each other, and networks that are some. Every fault is named at once. */
export function ensureSound({ nodes, ca, dns }: Settings): void {
  const errors: FieldError[] = [];
  const require = (isRight: boolean, field: keyof Settings['nodes'], detail: string) => {
    if (!isRight) errors.push({ pointer: `/nodes/${field}`, detail });
  };
  const { heartbeat_interval_s, stale_after_s, unreachable_after_s, address_pool, address6_prefix } = nodes;
  require(stale_after_s >=
    2 *
      heartbeat_interval_s, 'stale_after_s', `must be at least twice heartbeat_interval_s, that is ${2 * heartbeat_interval_s}, or a late heartbeat makes a node stale`);
  require(unreachable_after_s >
    stale_after_s, 'unreachable_after_s', `must be more than stale_after_s, which is ${stale_after_s}`);
  require(isPool(
    address_pool,
  ), 'address_pool', `"${address_pool}" must be an IPv4 network of /8 to /30 such as 100.64.0.0/10, with no bit set behind its prefix`);
  require(address6_prefix === null ||
    isPrefix6(
      address6_prefix,
    ), 'address6_prefix', `"${address6_prefix}" must be a /64 inside fc00::/7 such as fd4c:9a1e:77b0::/64, in its shortest spelling`);
  for (const [index, domain] of ca.domains.entries()) {
    const detail = faultOfDomain(domain);
    if (detail !== undefined) errors.push({ pointer: `/ca/domains/${index}`, detail });
  }
  errors.push(...faultsOfDns(dns));
  const { distribution_url: url } = ca;
  if (url !== null && !isAddress(url)) {
    const detail = `"${url}" must be an address such as http://mesh.example.org:7400, without a user, a query or a fragment`;
    errors.push({ pointer: '/ca/distribution_url', detail });
  }
  if (errors.length === 0) return;
  const detail = errors.map(({ pointer, detail: text }) => `${pointer} ${text}`).join('; ');
  throw new MeshError('invalid', `${detail}.`, { errors });
}

/** A root that certifies a whole top-level domain could stand for anyone in it. */
function faultOfDomain(domain: string): string | undefined {
  const labels = domain.split('.');
  if (labels.at(-1) === MESH_DOMAIN) return `"${domain}" must not be in "${MESH_DOMAIN}", which every root certifies`;
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1) ?? '')) {
    return `"${domain}" must be a domain with two labels at least, such as corp.example.org`;
  }
  return undefined;
}

/** As browsers spell it: what stands in a certificate has one spelling, and only ASCII. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  if (url.username + url.password + url.search + url.hash !== '') return false;
  return url.href === text || url.href === `${text}/`;
}

function isPool(text: string): boolean {
  const network = parseNetwork(text);
  if (network?.family !== 4) return false;
  return network.prefix >= POOL_PREFIX.widest && network.prefix <= POOL_PREFIX.narrowest;
}

function isPrefix6(text: string): boolean {
  const network = parseNetwork(text);
  return network?.prefix === 64 && UNIQUE_LOCAL !== undefined && overlaps(network, UNIQUE_LOCAL);
}
