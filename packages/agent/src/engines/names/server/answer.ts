/** What the zone says to a query, as a DNS message. */
import { anyContains, isSingleAddress, type Network, parseNetwork } from '@meshwork/addresses';
import { DNS_TTL_S, MESH_DOMAIN } from '@meshwork/contract/vocabulary';
import dns, { type Answer } from 'dns-packet';
import { addressOfReverse } from '../zone/reverse-name.ts';
import type { Found, Zone } from '../zone/zone.ts';
import { EDNS_SIZE, HEADER_BYTES, type Query, RCODE } from './query.ts';

/** Ours: a chain of aliases that is longer is taken for a circle. */
const MAX_ALIASES = 8;
const BAD_VERSION = 1; // the upper bits of BADVERS, 16
const TOP = `.${MESH_DOMAIN}`;
/** Transfers of a zone. */
const TRANSFERS: readonly string[] = ['AXFR', 'IXFR'];

export interface Said {
  readonly rcode: number;
  readonly answers?: readonly Answer[];
  /** True: the name or type is not there, which may be remembered for as long as an answer. */
  readonly negative?: boolean;
}

/** Of the mesh's own. Undefined: the name lies outside of it. */
export function fromZone(zone: Zone, { name, question }: Query, networks: readonly Network[]): Said | undefined {
  if (TRANSFERS.includes(question.type)) return { rcode: RCODE.refused };
  if (name === MESH_DOMAIN) return question.type === 'SOA' ? { rcode: 0, answers: [soa()] } : NO_DATA;
  if (name.endsWith(TOP)) return inDomain(zone, question.name, question.type);
  const address = addressOfReverse(name);
  if (address === undefined || !anyContains(networks, address)) return undefined;
  const found = zone.nameAt(address);
  if (found === undefined) return NO_NAME;
  return question.type === 'PTR' || isAny(question.type)
    ? { rcode: 0, answers: [{ type: 'PTR', name: question.name, ttl: DNS_TTL_S, data: `${found}${TOP}` }] }
    : NO_DATA;
}

/** How clients find the host of a name. What else a name has, such as its mail servers, stays as it is known outside. */
const OF_HOSTS: readonly string[] = ['A', 'AAAA', 'ANY', 'UNKNOWN_64', 'UNKNOWN_65']; // the last two are SVCB and HTTPS

/** Of an ingress that is reached through the mesh. Undefined: that is not asked for. */
export function fromIngress(addresses: readonly string[], { question: { name, type } }: Query): Said | undefined {
  if (!OF_HOSTS.includes(type)) return undefined;
  return { rcode: RCODE.no_error, answers: answersOf({ addresses }, name.replace(/\.$/, ''), type) };
}

const NO_NAME: Said = { rcode: RCODE.no_name, negative: true };
const NO_DATA: Said = { rcode: RCODE.no_error, negative: true };

function inDomain(zone: Zone, asked: string, type: string): Said {
  const answers: Answer[] = [];
  let owner = asked.replace(/\.$/, '');
  for (let hops = 0; hops <= MAX_ALIASES; hops++) {
    const found = zone.find(owner.toLowerCase().slice(0, -TOP.length));
    if (found === undefined) return { ...NO_NAME, answers }; // of the last name in a chain (RFC 6604)
    if (found.cname === undefined || type === 'CNAME') {
      answers.push(...answersOf(found, owner, type));
      return answers.length > hops ? { rcode: RCODE.no_error, answers } : { ...NO_DATA, answers };
    }
    answers.push({ type: 'CNAME', name: owner, ttl: DNS_TTL_S, data: found.cname });
    owner = found.cname;
  }
  return { rcode: RCODE.failure };
}

function answersOf({ addresses = [], services = [], cname }: Found, name: string, type: string): Answer[] {
  const ttl = DNS_TTL_S;
  if (type === 'CNAME' && cname !== undefined) return [{ type, name, ttl, data: cname }];
  const all: Answer[] = [
    ...addresses.map((data): Answer => ({ type: data.includes(':') ? 'AAAA' : 'A', name, ttl, data })),
    ...services.map(
      ({ port, target }): Answer => ({
        type: 'SRV',
        name,
        ttl,
        data: { priority: 0, weight: 0, port, target: `${target}${TOP}` },
      }),
    ),
  ];
  return isAny(type) ? all : all.filter((one) => one.type === type);
}

/** As the library calls the type 255. */
function isAny(type: string): boolean {
  return type === 'ANY';
}

function soa(): Answer {
  const times = { refresh: 3600, retry: 600, expire: 86_400, minimum: DNS_TTL_S };
  const data = { mname: MESH_DOMAIN, rname: `hostmaster${TOP}`, serial: 1, ...times };
  return { type: 'SOA', name: MESH_DOMAIN, ttl: DNS_TTL_S, data };
}

/** `limit`: bytes that the asker takes. What is longer is cut to its question, with the request to ask by TCP. */
export function encodeSaid(query: Query, { rcode, answers = [], negative = false }: Said, limit: number): Buffer {
  const { id, question, recursion_desired, edns_version } = query;
  const flags =
    dns.RECURSION_AVAILABLE |
    (rcode === RCODE.refused ? 0 : dns.AUTHORITATIVE_ANSWER) |
    (recursion_desired ? dns.RECURSION_DESIRED : 0) |
    rcode;
  const additionals: Answer[] = edns_version === undefined ? [] : [opt(edns_version === 0 ? 0 : BAD_VERSION)];
  const packet = { type: 'response', id, flags, questions: [question], additionals } as const;
  const whole = dns.encode({
    ...packet,
    questions: [question],
    answers: edns_version === undefined || edns_version === 0 ? [...answers] : [],
    authorities: negative ? [soa()] : [],
  });
  if (whole.length <= limit) return whole;
  return dns.encode({ ...packet, questions: [question], flags: flags | dns.TRUNCATED_RESPONSE });
}

function opt(extendedRcode: number): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: EDNS_SIZE,
    extendedRcode,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

/** The answer of another resolver, under the id that the asker used. Cut as `encodeSaid` does. */
export function passedOn(query: Query, answer: Buffer, limit: number): Buffer {
  const cut = answer.length <= limit ? Buffer.from(answer) : Buffer.from(answer.subarray(0, query.question_end));
  cut.writeUInt16BE(query.id, 0);
  if (answer.length > limit) {
    cut.writeUInt16BE(cut.readUInt16BE(2) | dns.TRUNCATED_RESPONSE, 2);
    cut.fill(0, 6, HEADER_BYTES); // no records of any kind
  }
  return cut;
}

/** Networks as the coordinator writes them. One that is a single address, or none at all, is no network of the mesh. */
export function readNetworks(texts: readonly string[]): readonly Network[] {
  return texts.flatMap((text) => {
    const network = parseNetwork(text);
    return network === undefined || isSingleAddress(network) ? [] : [network];
  });
}
