/** Whatever is sent in place of a token, a session or a proof is refused; nothing makes the coordinator fail. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Got, TestCoordinator } from './harness.ts';
import { TestNode } from './test-node.ts';

/** Texts that are short or long, have more bytes than characters, or are no text at all. */
const ODD: Readonly<Record<string, string>> = {
  nothing: '',
  'one character': 'x',
  'full-width digits': '１２３４５６',
  'as many characters as a secret, in two bytes each': 'é'.repeat(43),
  'as many characters as a token, in two bytes each': 'é'.repeat(84),
  'as many characters as a hash, in three bytes each': '漢'.repeat(64),
  'half of a pair': '\uD800',
  'a pair the wrong way round': '\uDC00\uD800',
  'a pair': '\u{1F511}',
  'too much': 'x'.repeat(8000),
};

/** A header carries bytes: text goes in as its UTF-8. */
const inHeader = (text: string) => Buffer.from(text).toString('latin1');

describe('in place of a secret, odd text is refused', () => {
  let mesh: TestCoordinator;
  let node: TestNode;
  before(async () => {
    mesh = await TestCoordinator.start();
    node = await TestNode.enroll(mesh);
    await node.beat();
  });
  after(() => mesh.close());

  const assertRefused = ({ status, text }: Got<unknown>, what: string) =>
    assert.ok(status >= 400 && status < 500 && status !== 429, `${what}: ${status} ${text}`);

  it('as a token, whole or in part', async () => {
    for (const [what, text] of Object.entries(ODD)) {
      mesh.clock.advance(30); // guessing is slowed down by address
      const whole = mesh.owner.slice(0, 'mesh_'.length + 26); // finds the record, so that its secret is compared
      for (const token of [text, `${whole}_${text}`, `${mesh.owner}${text === '' ? 'x' : text}`]) {
        for (const path of ['/v1/auth/whoami', '/metrics', '/v1/events']) {
          assertRefused(await mesh.ask('GET', path, { token: inHeader(token) }), `${path} with ${what}`);
        }
      }
    }
  });

  it('as the session of a node, whole or in part', async () => {
    const { bearer } = node;
    for (const [what, text] of Object.entries(ODD)) {
      mesh.clock.advance(30);
      const alike = `${bearer.slice(0, -1)}${inHeader('é').slice(0, 1)}`; // as long, and one byte is none of ours
      for (const token of [text, bearer.slice(0, -43) + text, bearer + (text || 'x')].map(inHeader).concat(alike)) {
        node.bearer = token;
        assertRefused(await node.beat(), what);
      }
    }
    node.bearer = bearer;
    await node.prove();
    assert.equal((await node.beat()).status, 200);
  });

  it('as a proof of identity', async () => {
    const [head = '', claims = '', signature = ''] = (await node.proof()).split('.');
    for (const [what, text] of Object.entries(ODD)) {
      mesh.clock.advance(30);
      for (const proof of [
        text,
        `${text}.${text}.${text}`,
        `${head}.${claims}.${text}`,
        `${head}.${text}.${signature}`,
      ]) {
        assertRefused(await node.prove(proof), what);
      }
    }
  });

  it('as an Idempotency-Key', async () => {
    for (const [what, text] of Object.entries(ODD)) {
      if (text === '' || text === 'x') continue; // a key, or none
      const body = { name: 'x', permissions: [] };
      const headers = { 'idempotency-key': inHeader(text) };
      assertRefused(await mesh.ask('POST', '/v1/auth/roles', { body, headers }), what);
    }
  });
});
