import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attribute, bindingAnswer } from '../../test/stun-server.ts';
import { bindingRequest, readBindingAnswer } from './binding.ts';
import { fingerprintOf } from './message.ts';

const TRANSACTION = 'b7e7a701bc34d686fa87dfae';
/** The sample answers of RFC 5769, 2.2 and 2.3. */
const SAMPLE_FOUR = `0101003c2112a442${TRANSACTION}8022000b7465737420766563746f7220002000080001a147e112a643
000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96`;
const SAMPLE_SIX = `010100482112a442${TRANSACTION}8022000b7465737420766563746f7220002000140002a1470113a9faa5d3f179
bc25f4b5bed2b9d900080014a382954e4be67bf11784c97c8292c275bfe3ed4180280004c8fb0b4c`;
const bytes = (hex: string) => Buffer.from(hex.replaceAll('\n', ''), 'hex');

const REQUEST = bindingRequest(Buffer.from(TRANSACTION, 'hex'));
const RIGHT = { address: '192.0.2.1', port: 32_853 };
const answer = (changes: Partial<Parameters<typeof bindingAnswer>[1]> = {}) =>
  bindingAnswer(REQUEST, { ...RIGHT, ...changes });
/** As it is, but with another byte. */
const altered = (at: number, value: number) => {
  const message = answer();
  message.writeUInt8(value, at);
  return message;
};
const FINGERPRINT_AT = 32;

describe('a Binding request', () => {
  it('is a header with the cookie and the transaction, and nothing else', () => {
    assert.equal(REQUEST.toString('hex'), `000100002112a442${TRANSACTION}`);
  });
});

describe('an answer to a Binding request', () => {
  it('says which address and port were seen', () => {
    const four = { transaction: TRANSACTION, mapping: RIGHT };
    const six = {
      transaction: TRANSACTION,
      mapping: { address: '2001:db8:1234:5678:11:2233:4455:6677', port: 32_853 },
    };
    assert.deepEqual(readBindingAnswer(bytes(SAMPLE_FOUR)), four);
    assert.deepEqual(readBindingAnswer(bytes(SAMPLE_SIX)), six);
    assert.deepEqual(readBindingAnswer(answer()), four, 'without a fingerprint');
    assert.deepEqual(readBindingAnswer(answer({ spoil_fingerprint: 0 })), four, 'with one');
    assert.deepEqual(
      readBindingAnswer(answer({ address: '0:0:0:0:0:ffff:c000:201' })),
      four,
      'IPv4 in the dress of IPv6',
    );
  });

  it('may have unknown optional attributes, of any length', () => {
    const attributes = [0, 1, 2, 3, 4].map((length) => attribute(0x8022, Buffer.alloc(length, 7)));
    assert.deepEqual(readBindingAnswer(answer({ attributes }))?.transaction, TRANSACTION);
  });

  it('may be an error', () => {
    const attributes = [attribute(0x0009, Buffer.from([0, 0, 4, 20]))];
    const error = readBindingAnswer(answer({ type: 0x0111, attributes }));
    assert.deepEqual(error, { transaction: TRANSACTION, error_code: 420 });
  });

  const broken: readonly (readonly [string, Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['shorter than a header', answer().subarray(0, 19)],
    ['noise', Buffer.alloc(48, 0xff)],
    ['zeros', Buffer.alloc(32)],
    ['a request', REQUEST],
    ['an answer to something else', answer({ type: 0x0103 })],
    ['without the cookie', answer({ cookie: Buffer.alloc(4) })],
    ['cut', answer().subarray(0, 28)],
    ['longer than it says', Buffer.concat([answer(), Buffer.alloc(4)])],
    ['shorter than it says', altered(3, 16)],
    ['with an attribute that goes on behind the end', altered(23, 200)],
    ['with half an attribute', answer({ attributes: [Buffer.alloc(2)] })],
    ['with an attribute that one must know', answer({ attributes: [attribute(0x0021, Buffer.alloc(4))] })],
    ['without an address', altered(20, 0x80)],
    ['of an unknown family', altered(25, 3)],
    ['of the wrong family', altered(25, 2)],
    ['with port 0', answer({ port: 0 })],
    ['with a wrong fingerprint', answer({ spoil_fingerprint: 1 })],
    ['with something behind the fingerprint', tailed()],
    ['with a fingerprint that is too short', shortFingerprint()],
    ['an error without a code', answer({ type: 0x0111 })],
    ['an error with half a code', answer({ type: 0x0111, attributes: [attribute(0x0009, Buffer.alloc(2))] })],
  ];
  for (const [what, message] of broken) {
    it(`is none when it is ${what}`, () => assert.equal(readBindingAnswer(message), null));
  }

  it('is never read beyond its end, however it is cut', () => {
    const whole = bytes(SAMPLE_SIX);
    for (let length = 0; length < whole.length; length++) {
      const cut = Buffer.from(whole.subarray(0, length));
      if (length >= 4) cut.writeUInt16BE(Math.max(0, length - 20), 2);
      const read = readBindingAnswer(cut);
      assert.ok(read === null || 'mapping' in read, `${length} bytes`);
    }
  });
});

/** The fingerprint is right, as far as it goes. */
function tailed(): Buffer {
  const [message, tail] = [answer(), attribute(0x8022, Buffer.alloc(4))];
  message.writeUInt16BE(message.length - 20 + 8 + tail.length, 2);
  const fingerprint = Buffer.alloc(4);
  fingerprint.writeUInt32BE(fingerprintOf(message));
  return Buffer.concat([message, attribute(0x8028, fingerprint), tail]);
}

function shortFingerprint(): Buffer {
  const message = answer({ spoil_fingerprint: 0 });
  message.writeUInt16BE(3, FINGERPRINT_AT + 2);
  return message;
}
