/** The Port Control Protocol (RFC 6887): its requests MAP and ANNOUNCE, for IPv4. */
import { plainAddress } from '@meshwork/addresses';
import { askGateway } from './ask-gateway.ts';
import type { Gateway } from './gateway.ts';
import {
  type GrantedMapping,
  type HeldMapping,
  LIFETIME_S,
  type MappingProtocol,
  publicAddress,
  soundLifetime,
  type WantedMapping,
} from './mapping-protocol.ts';

const VERSION = 2;
const OPCODES = { announce: 0, map: 1 } as const;
const IS_ANSWER = 0x80;
const UDP = 17;
const [HEADER_BYTES, MAP_BYTES, NONCE_BYTES] = [24, 36, 12];
/** RFC 6887, 7: no message is longer. */
const MAX_BYTES = 1100;
const MAPPED_PREFIX = Buffer.from('00000000000000000000ffff', 'hex');
const ANY_ADDRESS = '0.0.0.0';

/** RFC 6887, 7.4. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: 'it speaks another version',
  2: 'it does not permit it',
  3: 'it takes the request for malformed',
  4: 'it cannot do that',
  7: 'it has no connection outside',
  8: 'it has no room for another mapping',
  9: 'it does not map UDP',
  10: 'this host has as many mappings as it may have',
  11: 'it cannot give that port',
  12: 'another NAT stands between it and this host',
};

export const pcp: MappingProtocol = {
  method: 'PCP',
  map: async (gateway, wanted) => {
    const granted = await request(gateway, wanted, LIFETIME_S);
    const lifetime_s = soundLifetime(granted.lifetime_s);
    try {
      return { ...granted, address: publicAddress(granted.address), lifetime_s };
    } catch (error) {
      await request(gateway, wanted, 0); // of no use, so it does not stay
      throw error;
    }
  },
  unmap: async ({ gateway, inside_port, port, nonce }) => {
    await request(gateway, { port: inside_port, outside_port: port, nonce }, 0);
  },
  check: async ({ gateway }: HeldMapping) =>
    await askGateway({ gateway, request: announceRequest(gateway.from), read: readAnnounce }),
};

type PcpAnswer = GrantedMapping & { readonly lifetime_s: number; readonly epoch_s: number };

async function request(gateway: Gateway, wanted: WantedMapping, lifetime_s: number): Promise<PcpAnswer> {
  return await askGateway({
    gateway,
    request: mapRequest(gateway.from, wanted, lifetime_s),
    read: (answer) => readMapAnswer(answer, wanted),
  });
}

function header(opcode: number, from: string, lifetime_s: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(opcode, 1);
  bytes.writeUInt32BE(lifetime_s, 4);
  bytes.set(mappedBytes(from), 8);
  return bytes;
}

export function announceRequest(from: string): Buffer {
  return header(OPCODES.announce, from, 0);
}

/** A lifetime of 0 deletes the mapping. */
export function mapRequest(from: string, { port, outside_port, nonce }: WantedMapping, lifetime_s: number): Buffer {
  const bytes = Buffer.alloc(MAP_BYTES);
  bytes.set(Buffer.from(nonce, 'hex'), 0);
  bytes.writeUInt8(UDP, NONCE_BYTES);
  bytes.writeUInt16BE(port, 16);
  bytes.writeUInt16BE(outside_port, 18);
  bytes.set(mappedBytes(ANY_ADDRESS), 20);
  return Buffer.concat([header(OPCODES.map, from, lifetime_s), bytes]);
}

/** Undefined: it is no answer to this request. Throws when it is a refusal. */
export function readMapAnswer(answer: Buffer, { port, nonce }: Pick<WantedMapping, 'port' | 'nonce'>) {
  const head = readHeader(answer, OPCODES.map);
  if (head === undefined) return undefined;
  if (answer.length < HEADER_BYTES + MAP_BYTES) return undefined;
  const map = answer.subarray(HEADER_BYTES);
  const isOurs =
    map.subarray(0, NONCE_BYTES).toString('hex') === nonce &&
    map.readUInt8(NONCE_BYTES) === UDP &&
    map.readUInt16BE(16) === port;
  if (!isOurs) return undefined;
  refuseUnless(head.result);
  const { lifetime_s, epoch_s } = head;
  if (lifetime_s === 0) return { address: ANY_ADDRESS, port: 0, lifetime_s, epoch_s }; // deleted: the rest means nothing
  const [address, outside] = [fourOf(map.subarray(20, MAP_BYTES)), map.readUInt16BE(18)];
  if (address === undefined) throw new Error('it answers with an address that is not of IPv4');
  if (outside === 0) throw new Error('it answers with port 0');
  return { address, port: outside, lifetime_s, epoch_s };
}

/** Also what a router sends by itself when it has lost its mappings. */
export function readAnnounce(answer: Buffer): { readonly epoch_s: number } | undefined {
  const head = readHeader(answer, OPCODES.announce);
  if (head === undefined) return undefined;
  refuseUnless(head.result);
  return { epoch_s: head.epoch_s };
}

function readHeader(answer: Buffer, opcode: number) {
  if (answer.length < 4 || answer.length > MAX_BYTES) return undefined;
  // RFC 6887, appendix A: a router that knows NAT-PMP alone answers in its words that it does not speak this version.
  if (answer.readUInt8(0) === 0 && answer.readUInt16BE(2) === 1) throw new Error('it speaks NAT-PMP alone');
  if (answer.readUInt8(0) !== VERSION || answer.length < HEADER_BYTES) return undefined;
  if (answer.readUInt8(1) !== (IS_ANSWER | opcode)) return undefined;
  return { result: answer.readUInt8(3), lifetime_s: answer.readUInt32BE(4), epoch_s: answer.readUInt32BE(8) };
}

function refuseUnless(result: number): void {
  if (result !== 0) throw new Error(REFUSALS[result] ?? `it answered with error ${result}`);
}

function mappedBytes(address: string): Buffer {
  return Buffer.concat([MAPPED_PREFIX, Buffer.from(address.split('.').map(Number))]);
}

function fourOf(bytes: Buffer): string | undefined {
  if (!bytes.subarray(0, MAPPED_PREFIX.length).equals(MAPPED_PREFIX)) return undefined;
  return plainAddress(bytes.subarray(MAPPED_PREFIX.length).join('.')) ?? undefined;
}
