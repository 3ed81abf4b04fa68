/** Binding requests between peers: each proves itself with a key that only the two of them have. */
import type { RemoteInfo } from 'node:dgram';
import { plainAddress } from '@meshwork/addresses';
import { ATTRIBUTES, isGenuine, readMessage, type StunMessage, valueIn, writeMessage } from '../../stun/message.ts';
import { type Place, readXorAddress, writeXorAddress } from '../../stun/xor-address.ts';

const [REQUEST, SUCCESS] = [0x0001, 0x0101];
const MAX_BYTES = 600;

/** Null: it is neither, or is longer than any of ours. */
export function readBinding(bytes: Buffer): (StunMessage & { readonly isRequest: boolean }) | null {
  if (bytes.length > MAX_BYTES) return null;
  const message = readMessage(bytes);
  if (message === null || (message.type !== REQUEST && message.type !== SUCCESS)) return null;
  return { ...message, isRequest: message.type === REQUEST };
}

export function peerRequest(transaction: Buffer, key: Buffer, names: { to: string; from: string }): Buffer {
  const username = { type: ATTRIBUTES.USERNAME, value: Buffer.from(`${names.to}:${names.from}`) };
  return writeMessage({ type: REQUEST, transaction, attributes: [username], key });
}

/** Who says that it sent this to us. Not proven yet. Undefined: it is for another, or has no name. */
export function claimedSender(request: StunMessage, own: string): string | undefined {
  const username = valueIn(request, ATTRIBUTES.USERNAME)?.toString('utf8');
  return username?.startsWith(`${own}:`) === true ? username.slice(own.length + 1) : undefined;
}

/** Null: it is not proven with that key, or has no address. Without a key there is nothing to prove. */
export function mappedIn(answer: StunMessage, key: Buffer | undefined): Place | null {
  if (key !== undefined && !isGenuine(answer, key)) return null;
  return readXorAddress(valueIn(answer, ATTRIBUTES.XOR_MAPPED_ADDRESS), answer.bytes);
}

export function answerTo({ transaction }: StunMessage, from: Place, key: Buffer): Buffer {
  const id = Buffer.from(transaction, 'hex');
  const header = writeMessage({ type: SUCCESS, transaction: id });
  const mapped = { type: ATTRIBUTES.XOR_MAPPED_ADDRESS, value: writeXorAddress(from, header) };
  return writeMessage({ type: SUCCESS, transaction: id, attributes: [mapped], key });
}

/** Null: from an address that only means something on one of our own links. */
export function placeOf({ address, port }: RemoteInfo): Place | null {
  const plain = plainAddress(address);
  return plain === null || port === 0 ? null : { address: plain, port };
}
