/** A question is at least as long as its answer: what is sent to us with a false address does not come back larger. */
export const ECHO_BYTES = 32;

const MAGIC = 0x4d57_4543;
const KIND_AT = 4;
const [TRANSACTION_AT, TRANSACTION_END] = [8, 20];
const KINDS = ['question', 'answer', 'message'] as const;
const TEXT_AT = 8;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface EchoPacket {
  readonly kind: 'question' | 'answer';
  readonly transaction: string;
}

interface MessagePacket {
  readonly kind: 'message';
  readonly text: string;
}

function written(kind: (typeof KINDS)[number], bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet.writeUInt32BE(MAGIC, 0);
  packet.writeUInt8(KINDS.indexOf(kind) + 1, KIND_AT);
  return packet;
}

export function writeEcho(kind: EchoPacket['kind'], transaction: string, bytes: number): Buffer {
  const packet = written(kind, bytes);
  packet.write(transaction, TRANSACTION_AT, 'hex');
  return packet;
}

export function writeMessage(text: string): Buffer {
  const packet = written('message', TEXT_AT + Buffer.byteLength(text));
  packet.write(text, TEXT_AT, 'utf8');
  return packet;
}

/** Null: it is none. */
export function readPacket(packet: Buffer): EchoPacket | MessagePacket | null {
  if (packet.length <= TEXT_AT || packet.readUInt32BE(0) !== MAGIC) return null;
  const kind = KINDS[packet.readUInt8(KIND_AT) - 1];
  if (kind === 'message') return readText(packet.subarray(TEXT_AT));
  if (kind === undefined || packet.length < ECHO_BYTES) return null;
  return { kind, transaction: packet.toString('hex', TRANSACTION_AT, TRANSACTION_END) };
}

function readText(bytes: Buffer): MessagePacket | null {
  try {
    return { kind: 'message', text: UTF8.decode(bytes) };
  } catch {
    return null; // it is no UTF-8
  }
}
