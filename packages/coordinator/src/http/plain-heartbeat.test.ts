import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { MAX_WAIT_S, newId } from '@meshwork/contract';
import { plainHeartbeatOf } from './plain-heartbeat.ts';

const id = newId('node', 1);
const authorization = `Bearer meshnode_${id.slice('node_'.length)}.1.t0.${'m'.repeat(43)}`;
const path = `/v1/nodes/${id}/heartbeat`;
const HEADERS = [
  'Host',
  'mesh',
  'authorization',
  authorization,
  'content-type',
  'application/json',
  'content-length',
  '9',
];

function seen(given: { method?: string; url?: string; headers?: string[] } = {}) {
  const { method = 'POST', url = path, headers = HEADERS } = given;
  return plainHeartbeatOf({ method, url, rawHeaders: headers } as IncomingMessage);
}

/** The usual headers, with the value of one replaced, or without it. */
function having(name: string, value: string | undefined): string[] {
  const at = HEADERS.indexOf(name);
  return HEADERS.toSpliced(at, 2, ...(value === undefined ? [] : [name, value]));
}

describe('a plain heartbeat', () => {
  it('is known by its path and its headers, however those are written', () => {
    assert.deepEqual(seen(), { id, wait: undefined, authorization });
    const shouted = HEADERS.map((text, at) => (at % 2 === 0 ? text.toUpperCase() : text));
    assert.deepEqual(seen({ headers: shouted }), seen());
    const usual = ['Authorization', authorization, 'Content-Type', 'application/json', 'Content-Length', '9'];
    assert.deepEqual(seen({ headers: usual }), seen());
    const others = ['Cache-Control', 'no-cache', 'Accept', '*/*', 'X-Request-Id', 'mine', 'User-Agent', 'agent'];
    assert.deepEqual(seen({ headers: [...others, ...HEADERS] }), seen());
  });

  it('says how long it may wait', () => {
    for (const wait of [0, 7, MAX_WAIT_S]) assert.equal(seen({ url: `${path}?wait=${wait}` })?.wait, wait);
  });

  for (const [what, given] of Object.entries({
    'another method': { method: 'GET' },
    'another path': { url: '/v1/nodes' },
    'more path': { url: `${path}/x` },
    'another query': { url: `${path}?weit=5` },
    'an empty wait': { url: `${path}?wait=` },
    'a wait that is no number': { url: `${path}?wait=5s` },
    'too long a wait': { url: `${path}?wait=${MAX_WAIT_S + 1}` },
    'a wait of three digits': { url: `${path}?wait=005` },
    'a wait and more': { url: `${path}?wait=5&x` },
    'the id of another node in the path': { url: `/v1/nodes/${newId('node', 1)}/heartbeat` },
    'an id that has to be decoded': { url: path.replace('node_', 'node%5F') },
    'no session': { headers: having('authorization', undefined) },
    'another credential': { headers: having('authorization', 'Bearer mesh_x') },
    'another scheme': { headers: having('authorization', authorization.replace('Bearer', 'bearer')) },
    'two sessions': { headers: [...HEADERS, 'Authorization', authorization] },
    'another type': { headers: having('content-type', 'text/plain') },
    'a type with a charset': { headers: having('content-type', 'application/json; charset=utf-8') },
    'no type': { headers: having('content-type', undefined) },
    'two types': { headers: [...HEADERS, 'CONTENT-TYPE', 'application/json'] },
    'no length': { headers: having('content-length', undefined) },
    'a length near the limit': { headers: having('content-length', '500000') },
    'an expectation': { headers: [...HEADERS, 'eXpect', '100-continue'] },
    pieces: { headers: [...HEADERS, 'Transfer-Encoding', 'chunked'] },
  })) {
    it(`has not ${what}`, () => assert.equal(seen(given), null));
  }
});
