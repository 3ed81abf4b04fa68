/** The NAT Port Mapping Protocol (RFC 6886). */
import { askGateway } from './ask-gateway.ts';
import type { Gateway } from './gateway.ts';
import { LIFETIME_S, type MappingProtocol, publicAddress, soundLifetime } from './mapping-protocol.ts';

const VERSION = 0;
const OPCODES = { address: 0, map_udp: 1 } as const;
const IS_ANSWER = 0x80;
const [ADDRESS_ANSWER_BYTES, MAP_ANSWER_BYTES] = [12, 16];
/** Up to the epoch. A refusal may end there. */
const SHORTEST_ANSWER_BYTES = 8;

/** RFC 6886, 3.5. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: 'it speaks another version',
  2: 'it does not permit it',
  3: 'it has no connection outside',
  4: 'it has no room for another mapping',
  5: 'it cannot do that',
};

export const natPmp: MappingProtocol = {
  method: 'NAT-PMP',
  map: async (gateway, wanted) => {
    const { address } = await askAddress(gateway); // first: a mapping at a private address is of no use
    const outside = publicAddress(address);
    const granted = await askMapping(gateway, { ...wanted, lifetime_s: LIFETIME_S });
    return { ...granted, address: outside, lifetime_s: soundLifetime(granted.lifetime_s) };
  },
  unmap: async ({ gateway, inside_port: port }) => {
    await askMapping(gateway, { port, outside_port: 0, lifetime_s: 0 });
  },
  check: async ({ gateway, address: held }) => {
    const { address, epoch_s } = await askAddress(gateway);
    return address === held ? { epoch_s } : 'lost';
  },
};

interface MapRequest {
  readonly port: number;
  readonly outside_port: number;
  readonly lifetime_s: number;
}

async function askAddress(gateway: Gateway) {
  return await askGateway({ gateway, request: Buffer.from([VERSION, OPCODES.address]), read: readAddressAnswer });
}

async function askMapping(gateway: Gateway, wanted: MapRequest) {
  const read = (answer: Buffer) => readMapAnswer(answer, wanted);
  return await askGateway({ gateway, request: mapRequest(wanted), read });
}

/** A lifetime of 0 deletes the mapping. */
export function mapRequest({ port, outside_port, lifetime_s }: MapRequest): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(OPCODES.map_udp, 1);
  bytes.writeUInt16BE(port, 4);
  bytes.writeUInt16BE(outside_port, 6);
  bytes.writeUInt32BE(lifetime_s, 8);
  return bytes;
}

/** Undefined: it is no answer to this request. Throws when it is a refusal. Also what a router sends by itself when it has lost its mappings. */
export function readAddressAnswer(answer: Buffer): { readonly address: string; readonly epoch_s: number } | undefined {
  const epoch_s = readEpoch(answer, OPCODES.address);
  if (epoch_s === undefined || answer.length < ADDRESS_ANSWER_BYTES) return undefined;
  return { address: answer.subarray(8, ADDRESS_ANSWER_BYTES).join('.'), epoch_s };
}

export function readMapAnswer(answer: Buffer, wanted: Pick<MapRequest, 'port'>) {
  const epoch_s = readEpoch(answer, OPCODES.map_udp);
  if (epoch_s === undefined || answer.length < MAP_ANSWER_BYTES) return undefined;
  const [inside, port, lifetime_s] = [answer.readUInt16BE(8), answer.readUInt16BE(10), answer.readUInt32BE(12)];
  if (inside !== wanted.port) return undefined;
  if (port === 0 && lifetime_s > 0) throw new Error('it answers with port 0');
  return { port, lifetime_s, epoch_s };
}

function readEpoch(answer: Buffer, opcode: number): number | undefined {
  if (answer.length < SHORTEST_ANSWER_BYTES || answer.readUInt8(0) !== VERSION) return undefined;
  if (answer.readUInt8(1) !== (IS_ANSWER | opcode)) return undefined;
  const result = answer.readUInt16BE(2);
  if (result !== 0) throw new Error(REFUSALS[result] ?? `it answered with error ${result}`);
  return answer.readUInt32BE(4);
}
