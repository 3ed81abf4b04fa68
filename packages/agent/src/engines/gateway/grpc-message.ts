/**
 * The two messages of the health protocol of gRPC, as they go over the wire: protobuf within a frame of gRPC. They are so small that
 * writing them down takes less than a library for it.
 *
 *   message HealthCheckRequest { string service = 1; }
 *   message HealthCheckResponse { ServingStatus status = 1; }
 */

/** By number. */
const SERVING_STATES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;
export type ServingState = (typeof SERVING_STATES)[number];

/** Whether it is compressed, and how many bytes follow. */
const FRAME_BYTES = 5;
/** Of a field: its number, and how its value is written. */
const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
const FIRST_BYTES = (1 << 3) | BYTES;
/** A number of 64 bits takes no more. */
const MAX_VARINT_BYTES = 10;

/** `service`: at most 200 characters of ASCII. Null: the program as a whole. */
export function healthRequest(service: string | null): Buffer {
  const name = Buffer.from(service ?? '', 'latin1');
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([FIRST_BYTES, ...varint(name.length)]), name]);
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

/** Undefined: it is no such answer. A field that is not there has its first value, as protobuf has it. */
export function servingState(answer: Buffer): ServingState | undefined {
  if (answer.length < FRAME_BYTES || answer[0] !== 0 || answer.readUInt32BE(1) !== answer.length - FRAME_BYTES)
    return undefined;
  const message = answer.subarray(FRAME_BYTES);
  let status = 0;
  for (let at = 0; at < message.length; ) {
    const field = varintAt(message, at);
    if (field === undefined) return undefined;
    const value = valueAt(message, field.end, field.value & 7);
    if (value === undefined || value.end > message.length) return undefined;
    if (field.value >>> 3 === 1 && (field.value & 7) === VARINT) status = value.value;
    at = value.end;
  }
  return SERVING_STATES[status];
}

interface Read {
  readonly value: number;
  /** Where the next thing begins. */
  readonly end: number;
}

/** Fields of later versions are passed over. */
function valueAt(message: Buffer, at: number, written: number): Read | undefined {
  if (written === VARINT) return varintAt(message, at);
  if (written === FIXED_64) return { value: 0, end: at + 8 };
  if (written === FIXED_32) return { value: 0, end: at + 4 };
  const length = written === BYTES ? varintAt(message, at) : undefined;
  return length && { value: 0, end: length.end + length.value };
}

/** Seven bits a byte, the lowest first. What is larger than any number here is as good as any other. */
function varintAt(message: Buffer, at: number): Read | undefined {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
    const byte = message[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return undefined;
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
