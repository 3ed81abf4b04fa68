/** As much of STUN as asking for one's own address takes: a Binding request, and what may come back. */
import { ATTRIBUTES, errorCodeIn, readMessage, valueIn, writeMessage } from './message.ts';
import { type Place, readXorAddress } from './xor-address.ts';

const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const BINDING_ERROR = 0x0111;

/** `error_code`: the server has understood the request, and will not answer it. */
type BindingAnswer = { readonly transaction: string } & ({ readonly mapping: Place } | { readonly error_code: number });

export function bindingRequest(transaction: Buffer): Buffer {
  return writeMessage({ type: BINDING_REQUEST, transaction });
}

/** Null: it is no whole and sound answer to a Binding request, whatever else it may be. */
export function readBindingAnswer(bytes: Buffer): BindingAnswer | null {
  const message = readMessage(bytes);
  if (message === null) return null;
  const { type, transaction } = message;
  if (type === BINDING_SUCCESS) {
    const mapping = readXorAddress(valueIn(message, ATTRIBUTES.XOR_MAPPED_ADDRESS), bytes);
    return mapping === null ? null : { transaction, mapping };
  }
  const error_code = type === BINDING_ERROR ? errorCodeIn(message) : undefined;
  return error_code === undefined ? null : { transaction, error_code };
}
