/** Reads a DNS query. Bytes of a stranger are looked at here before the library allocates anything for them. */
import dns, { type Question } from 'dns-packet';

/** Of RFC 1035 and RFC 6891. */
export const RCODE = { no_error: 0, format: 1, failure: 2, no_name: 3, not_implemented: 4, refused: 5 } as const;
export const HEADER_BYTES = 12;
/** Without EDNS, by RFC 1035. */
const PLAIN_SIZE = 512;
/** What passes every path unfragmented: the agreed size of the DNS flag day 2020. */
export const EDNS_SIZE = 1232;
const RESPONSE = 0x8000;
const OPCODE = 0x7800;

export interface Query {
  readonly raw: Buffer;
  readonly id: number;
  readonly question: Question;
  /** What was asked for, in lower case and without a dot at the end. */
  readonly name: string;
  /** Where the question ends in `raw`. */
  readonly question_end: number;
  readonly recursion_desired: boolean;
  /** Undefined: the asker does not speak EDNS. */
  readonly edns_version: number | undefined;
  /** What it takes in one datagram. */
  readonly datagram_bytes: number;
}

/** A number: the code to refuse it with. Undefined: it is no query, and gets no answer. */
export function readQuery(raw: Buffer): Query | number | undefined {
  if (raw.length < HEADER_BYTES) return undefined;
  const flags = raw.readUInt16BE(2);
  if ((flags & RESPONSE) !== 0) return undefined;
  if ((flags & OPCODE) !== 0) return RCODE.not_implemented;
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) => raw.readUInt16BE(at));
  if (questions !== 1 || answers !== 0 || authorities !== 0 || (additionals ?? 0) > 2) return RCODE.format;
  const question_end = questionEnd(raw);
  if (question_end === undefined) return RCODE.format;
  try {
    const packet = dns.decode(raw);
    const [question] = packet.questions ?? [];
    if (question === undefined) return RCODE.format;
    if (question.class !== 'IN') return RCODE.refused;
    const opt = packet.additionals?.find((one) => one.type === 'OPT');
    return {
      raw,
      id: raw.readUInt16BE(0),
      question,
      name: question.name.toLowerCase().replace(/\.$/, ''),
      question_end,
      recursion_desired: packet.flag_rd,
      edns_version: opt?.ednsVersion,
      datagram_bytes: opt === undefined ? PLAIN_SIZE : Math.min(EDNS_SIZE, Math.max(PLAIN_SIZE, opt.udpPayloadSize)),
    };
  } catch {
    return RCODE.format; // the library throws on what is no DNS
  }
}

/** A question of a query has no pointers: there is nothing before it to point to. Undefined: it is not whole. */
function questionEnd(raw: Buffer): number | undefined {
  let at = HEADER_BYTES;
  for (;;) {
    const length = raw[at];
    if (length === undefined || length > 63) return undefined;
    at += length + 1;
    if (length === 0) break;
  }
  return at + 4 <= raw.length ? at + 4 : undefined;
}

/** With the question alone, if it can be read: for what is no query, or is not to be looked at any further. */
export function refusal(raw: Buffer, rcode: number): Buffer {
  const end = raw.readUInt16BE(4) === 1 ? questionEnd(raw) : undefined;
  const answer = Buffer.from(raw.subarray(0, end ?? HEADER_BYTES));
  answer.writeUInt16BE(((raw.readUInt16BE(2) & 0x7900) | RESPONSE | rcode) & 0xffff, 2);
  answer.fill(0, 4, HEADER_BYTES); // no records of any kind
  if (end !== undefined) answer.writeUInt16BE(1, 4);
  return answer;
}
