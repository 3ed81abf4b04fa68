import { isUtf8 } from 'node:buffer';
import { MeshError } from '@meshwork/contract';

/** Keys that could reach the prototype of an object they are copied to. Texts without them need no second look. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/** JSON in UTF-8. No text at all is no body: undefined, and the schema says what is missing, if anything is. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new MeshError('malformed_json', 'The body is not valid UTF-8.');
  if (bytes.length === 0) return undefined;
  const text = bytes.toString();
  try {
    return SUSPICIOUS.test(text) ? JSON.parse(text, withoutPrototypes) : JSON.parse(text);
  } catch (error) {
    if (error instanceof MeshError) throw error;
    throw new MeshError('malformed_json', 'The body cannot be read as JSON.', { cause: error });
  }
}

function withoutPrototypes(key: string, value: unknown): unknown {
  const isForbidden =
    key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'));
  if (isForbidden)
    throw new MeshError('malformed_json', `The body has a key "${key}", which no request has a use for.`);
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
