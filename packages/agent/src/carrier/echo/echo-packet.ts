/** A question is at least as long as its answer: what is sent to us with a false address does not come back larger. */
export const ECHO_BYTES = 32;

const MAGIC = 0x4d57_4543;
const [TRANSACTION_AT, TRANSACTION_END] = [8, 20];
const KINDS = ['question', 'answer'] as const;

type Kind = (typeof KINDS)[number];

export function writeEcho(kind: Kind, transaction: string, bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet.writeUInt32BE(MAGIC, 0);
  packet.writeUInt8(KINDS.indexOf(kind) + 1, 4);
  packet.write(transaction, TRANSACTION_AT, 'hex');
  return packet;
}

/** Null: it is none. */
export function readEcho(packet: Buffer): { readonly kind: Kind; readonly transaction: string } | null {
  if (packet.length < ECHO_BYTES || packet.readUInt32BE(0) !== MAGIC) return null;
  const kind = KINDS[packet.readUInt8(4) - 1];
  return kind === undefined ? null : { kind, transaction: packet.toString('hex', TRANSACTION_AT, TRANSACTION_END) };
}
