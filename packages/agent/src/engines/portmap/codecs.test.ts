import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { GatewayEpoch } from './gateway-epoch.ts';
import * as natPmp from './nat-pmp.ts';
import * as pcp from './pcp.ts';

const NONCE = '0102030405060708090a0b0c';
const WANTED = { port: 51_820, outside_port: 40_001, nonce: NONCE };
/** As miniupnpd 2.3.1 answered. */
const PCP_ANSWER = Buffer.from(
  `0281000000001c2000000011${'00'.repeat(12)}${NONCE}11000000ca6c9c4100000000000000000000ffff0600000a`,
  'hex',
);
const ADDRESS_ANSWER = Buffer.from('00800000000000110600000a', 'hex');
const MAP_ANSWER = Buffer.from('0081000000000011ca6c9c4100001c20', 'hex');

/** With some bytes replaced. */
function changed(message: Buffer, at: number, ...bytes: readonly number[]): Buffer {
  const copy = Buffer.from(message);
  copy.set(bytes, at);
  return copy;
}

describe('PCP', () => {
  it('asks for a mapping as RFC 6887 has it', () => {
    const request = pcp.mapRequest('192.168.1.5', WANTED, 7200);
    const header = '0201000000001c2000000000000000000000ffffc0a80105';
    assert.equal(request.toString('hex'), `${header}${NONCE}11000000ca6c9c4100000000000000000000ffff00000000`);
    assert.equal(
      pcp.announceRequest('192.168.1.5').toString('hex'),
      '020000000000000000000000000000000000ffffc0a80105',
    );
  });

  it('reads what was granted', () => {
    assert.deepEqual(pcp.readMapAnswer(PCP_ANSWER, WANTED), {
      address: '6.0.0.10',
      port: 40_001,
      lifetime_s: 7200,
      epoch_s: 17,
    });
    assert.deepEqual(pcp.readAnnounce(changed(PCP_ANSWER.subarray(0, 24), 1, 0x80)), { epoch_s: 17 });
  });

  const foreign: readonly (readonly [string, Buffer])[] = [
    ['of another nonce', changed(PCP_ANSWER, 24, 0xff)],
    ['of TCP', changed(PCP_ANSWER, 36, 6)],
    ['of another port', changed(PCP_ANSWER, 40, 1, 1)],
    ['of another request', changed(PCP_ANSWER, 1, 0x80)],
    ['that is a request', changed(PCP_ANSWER, 1, 0x01)],
    ['that is cut short', PCP_ANSWER.subarray(0, 59)],
    ['that is too long', Buffer.concat([PCP_ANSWER, Buffer.alloc(1100)])],
    ['of another version', changed(PCP_ANSWER, 0, 3)],
  ];
  for (const [what, answer] of foreign) {
    it(`passes over an answer ${what}`, () => assert.equal(pcp.readMapAnswer(answer, WANTED), undefined));
  }

  const refused: readonly (readonly [string, Buffer, RegExp])[] = [
    ['with an error', changed(PCP_ANSWER, 3, 2), /does not permit it/],
    ['with an error that is not known', changed(PCP_ANSWER, 3, 99), /error 99/],
    ['with port 0', changed(PCP_ANSWER, 42, 0, 0), /port 0/],
    ['with an IPv6 address', changed(PCP_ANSWER, 44, 0x20), /not of IPv4/],
    ['in the words of NAT-PMP', Buffer.from('0081000100000011', 'hex'), /NAT-PMP alone/],
  ];
  for (const [what, answer, reason] of refused) {
    it(`refuses an answer ${what}`, () => assert.throws(() => pcp.readMapAnswer(answer, WANTED), reason));
  }
});

describe('NAT-PMP', () => {
  it('asks for a mapping as RFC 6886 has it', () => {
    assert.equal(natPmp.mapRequest({ ...WANTED, lifetime_s: 7200 }).toString('hex'), '00010000ca6c9c4100001c20');
  });

  it('reads what was granted', () => {
    assert.deepEqual(natPmp.readAddressAnswer(ADDRESS_ANSWER), { address: '6.0.0.10', epoch_s: 17 });
    assert.deepEqual(natPmp.readMapAnswer(MAP_ANSWER, WANTED), { port: 40_001, lifetime_s: 7200, epoch_s: 17 });
  });

  it('passes over what is no answer to it', () => {
    for (const answer of [
      MAP_ANSWER.subarray(0, 15),
      changed(MAP_ANSWER, 8, 1, 1),
      changed(MAP_ANSWER, 1, 0x80),
      changed(MAP_ANSWER, 0, 2),
    ]) {
      assert.equal(natPmp.readMapAnswer(answer, WANTED), undefined);
    }
    assert.equal(natPmp.readAddressAnswer(ADDRESS_ANSWER.subarray(0, 11)), undefined);
  });

  it('refuses an error and port 0', () => {
    assert.throws(() => natPmp.readMapAnswer(changed(MAP_ANSWER, 3, 4), WANTED), /no room/);
    assert.throws(() => natPmp.readMapAnswer(changed(MAP_ANSWER, 10, 0, 0), WANTED), /port 0/);
    assert.throws(() => natPmp.readAddressAnswer(changed(ADDRESS_ANSWER, 3, 3)), /no connection outside/);
  });
});

it('whatever a router sends is understood, passed over or refused in words', () => {
  const readers = [
    (answer: Buffer) => pcp.readMapAnswer(answer, WANTED),
    (answer: Buffer) => pcp.readAnnounce(answer),
    (answer: Buffer) => natPmp.readMapAnswer(answer, WANTED),
    (answer: Buffer) => natPmp.readAddressAnswer(answer),
  ];
  const whole = [PCP_ANSWER, ADDRESS_ANSWER, MAP_ANSWER];
  for (let round = 0; round < 3000; round += 1) {
    const answer = Buffer.from(round % 2 === 0 ? randomBytes(randomInt(0, 80)) : (whole[round % 3] ?? PCP_ANSWER));
    if (answer.length > 0) answer[randomInt(0, answer.length)] = randomInt(0, 256);
    const cut = answer.subarray(0, randomInt(0, answer.length + 1));
    for (const read of readers) {
      try {
        const found = read(cut);
        if (found !== undefined) assert.ok(found.epoch_s >= 0);
      } catch (error) {
        assert.match((error as Error).message, /^it /, `${cut.toString('hex')}: ${error}`);
      }
    }
  }
});

describe('the epoch of a router', () => {
  const cases: readonly (readonly [string, number, number, boolean])[] = [
    ['counts on', 1060, 60_000, true],
    ['counts a little faster', 1063, 60_000, true],
    ['starts again', 3, 60_000, false],
    ['stands still', 1000, 60_000, false],
    ['runs ahead, as after this host slept', 4600, 60_000, false],
  ];
  for (const [what, epoch_s, later_ms, isSame] of cases) {
    it(`that ${what} ${isSame ? 'says that it has its mappings' : 'says that it may have lost them'}`, () => {
      const epoch = new GatewayEpoch();
      assert.equal(epoch.isSame(1000, 5000), true);
      assert.equal(epoch.isSame(epoch_s, 5000 + later_ms), isSame);
    });
  }

  it('of another router says nothing', () => {
    const epoch = new GatewayEpoch();
    epoch.isSame(1000, 5000);
    epoch.forget();
    assert.equal(epoch.isSame(3, 6000), true);
  });
});
