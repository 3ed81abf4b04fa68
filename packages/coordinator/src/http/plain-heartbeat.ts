import type { IncomingMessage } from 'node:http';
import { HEARTBEAT_BODY_LIMIT, MAX_WAIT_S } from '@meshwork/contract';

const BEFORE_ID = '/v1/nodes/';
const NODE = 'node_';
const ID_AT = BEFORE_ID.length;
const SUFFIX_AT = ID_AT + NODE.length;
const AFTER_ID = SUFFIX_AT + 26;
const AFTER_PATH = AFTER_ID + '/heartbeat'.length;
const WAIT_AT = AFTER_PATH + '?wait='.length;
const BEARER = 'Bearer meshnode_';
/** A length with fewer digits than the limit has is below it; the parser of HTTP has seen that they are digits. */
const LENGTH_DIGITS = String(HEARTBEAT_BODY_LIMIT).length - 1;

/** A heartbeat about which nothing is odd. */
export interface PlainHeartbeat {
  readonly id: string;
  readonly wait: number | undefined;
  readonly authorization: string;
}

/**
 * Null: not a heartbeat, or an odd one. Reads the headers as they came in: to have `node:http` sort them all into an object
 * costs more than all that is looked at here.
 */
export function plainHeartbeatOf({ method, url, rawHeaders }: IncomingMessage): PlainHeartbeat | null {
  if (method !== 'POST' || url === undefined || !isPath(url)) return null;
  const wait = waitOf(url);
  if (wait === null) return null;
  const authorization = authorizationIn(rawHeaders);
  // The session is that of the node in the path, so there is nothing in it to decode.
  if (authorization === null || !authorization.startsWith(url.slice(SUFFIX_AT, AFTER_ID), BEARER.length)) return null;
  return { id: url.slice(ID_AT, AFTER_ID), wait, authorization };
}

function isPath(url: string): boolean {
  return url.startsWith(BEFORE_ID) && url.startsWith(NODE, ID_AT) && url.startsWith('/heartbeat', AFTER_ID);
}

/** Undefined: it is not to wait. Null: what follows the path is odd. */
function waitOf(url: string): number | undefined | null {
  if (url.length === AFTER_PATH) return undefined;
  if (!url.startsWith('?wait=', AFTER_PATH) || url.length === WAIT_AT || url.length > WAIT_AT + 2) return null;
  let wait = 0;
  for (let at = WAIT_AT; at < url.length; at++) {
    const digit = url.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return null;
    wait = wait * 10 + digit;
  }
  return wait > MAX_WAIT_S ? null : wait;
}

/**
 * The session in the headers, names and values in turn, when those that matter are as agents write them: each once, JSON
 * of a modest length, nothing that is expected or comes in pieces.
 */
function authorizationIn(headers: readonly string[]): string | null {
  let authorization: string | undefined;
  let [types, lengths] = [0, 0];
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [headers[at] as string, headers[at + 1] as string];
    switch (name.length) {
      case 'authorization'.length:
        if (!isNamed(name, 'authorization', 'Authorization')) break;
        if (authorization !== undefined || !value.startsWith(BEARER)) return null;
        authorization = value;
        break;
      case 'content-type'.length:
        if (!isNamed(name, 'content-type', 'Content-Type')) break;
        if (value !== 'application/json') return null;
        types++;
        break;
      case 'content-length'.length:
        if (!isNamed(name, 'content-length', 'Content-Length')) break;
        if (value.length > LENGTH_DIGITS) return null;
        lengths++;
        break;
      case 'expect'.length:
        if (isNamed(name, 'expect', 'Expect')) return null;
        break;
      case 'transfer-encoding'.length:
        if (isNamed(name, 'transfer-encoding', 'Transfer-Encoding')) return null;
        break;
    }
  }
  return authorization !== undefined && types === 1 && lengths === 1 ? authorization : null;
}

/** Names have no case; nearly all are written in one of two ways. */
function isNamed(name: string, lower: string, usual: string): boolean {
  return name === lower || name === usual || name.toLowerCase() === lower;
}
