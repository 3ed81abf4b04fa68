import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { UserId } from '@meshwork/contract';
import { TOTP } from 'otpauth';
import { TestLedger } from '../../../../test/sign-in/test-ledger.ts';
import { Seal } from '../../../seal.ts';
import { newTotpSecret } from './authenticator.ts';
import { checkTotp } from './check-totp.ts';
import { newRecoveryCodes, RECOVERY_CODES } from './recovery-codes.ts';

const STEP_S = 30;
const A_DAY_S = 24 * 3600;

describe('a code of an authenticator', () => {
  const seal = new Seal(createSecretKey(randomBytes(32)), 'totp');
  let test: TestLedger;
  before(async () => {
    test = await TestLedger.open();
  });
  after(() => test.close());

  const withAuthenticator = async (name: string) => {
    const secret = newTotpSecret();
    const { codes, hashes } = newRecoveryCodes();
    const id = await test.person(name);
    const totp = { secret: seal.seal(secret, id), last_step: 0, recovery_codes: hashes };
    await test.transact((tx) => tx.put('user', id, { ...test.userOf(id), totp }));
    const codeAt = (steps: number) =>
      new TOTP({ secret }).generate({ timestamp: test.clock.now() + steps * STEP_S * 1000 });
    return { id, codes, codeAt };
  };
  const check = (id: UserId, code: string) => test.transact((tx) => checkTotp(tx, id, { code, seal }));

  it('is taken when it is of now or of one step before or after, and no further away', async () => {
    for (const [steps, proof] of [
      [-2, undefined],
      [-1, 'totp'],
      [0, 'totp'],
      [1, 'totp'],
      [2, undefined],
    ] as const) {
      const { id, codeAt } = await withAuthenticator(`away.${steps}`);
      // Away from the edge of a step, so that the clock cannot cross it between the code and its check.
      test.clock.advance(STEP_S - ((test.clock.now() / 1000) % STEP_S) + 1);
      assert.equal(await check(id, codeAt(steps)), proof, `${steps} steps away`);
    }
  });

  it('is taken once, and none that is older after it', async () => {
    const { id, codeAt } = await withAuthenticator('once');
    test.clock.advance(STEP_S - ((test.clock.now() / 1000) % STEP_S) + 1);
    const [older, newer] = [codeAt(-1), codeAt(0)];
    assert.equal(await check(id, newer), 'totp');
    assert.equal(await check(id, newer), undefined);
    assert.equal(await check(id, older), undefined);
    assert.equal(await check(id, codeAt(1)), 'totp');
  });

  it('is accepted again once a clock that was far ahead is corrected', async () => {
    const { id, codeAt } = await withAuthenticator('ahead');
    test.clock.advance(A_DAY_S);
    assert.equal(await check(id, codeAt(0)), 'totp');
    test.clock.advance(-A_DAY_S);
    const code = codeAt(0);
    assert.equal(await check(id, code), 'totp');
    assert.equal(await check(id, code), undefined);
  });

  it('is taken once when it comes many times at once', async () => {
    const { id, codeAt } = await withAuthenticator('at.once');
    const code = codeAt(0);
    const proofs = await Promise.all(Array.from({ length: 8 }, () => check(id, code)));
    assert.equal(proofs.filter((proof) => proof === 'totp').length, 1);
  });

  it('may be typed with a blank in the middle, and is nothing when it is something else', async () => {
    const { id, codeAt } = await withAuthenticator('typed');
    for (const junk of ['', '000', '12345678', 'abcdef', '１２３４５６', '-00001', `${codeAt(0)}0`]) {
      assert.equal(await check(id, junk), undefined, junk);
    }
    assert.equal(await check(id, codeAt(0).replace(/^(...)/, '$1 ')), 'totp');
  });

  it('can be a recovery code, in any spelling, once and also when it comes many times at once', async () => {
    const { id, codes } = await withAuthenticator('recovering');
    assert.equal(codes.length, RECOVERY_CODES);
    assert.equal(new Set(codes).size, RECOVERY_CODES);
    const [first = '', second = '', third = ''] = codes;
    assert.equal(await check(id, first), 'recovery_code');
    assert.equal(await check(id, first), undefined);
    assert.equal(await check(id, ` ${second.toLowerCase().replaceAll('-', '')} `), 'recovery_code');
    const proofs = await Promise.all(Array.from({ length: 8 }, () => check(id, third)));
    assert.equal(proofs.filter((proof) => proof === 'recovery_code').length, 1);
    assert.equal(test.userOf(id).totp?.recovery_codes.length, RECOVERY_CODES - 3);
    assert.ok(!JSON.stringify(test.userOf(id)).includes(codes[4] ?? ''), 'only hashes are kept');
  });

  it('proves nothing for a person without an authenticator, or an unknown one', async () => {
    const id = await test.person('without');
    assert.equal(await check(id, '123456'), undefined);
    assert.equal(await check('user_01jcqv5s3ee3xv9k7d0w8m2b4n' as UserId, '123456'), undefined);
  });

  it('of another person is refused, even when their sealed secret is copied in the store', async () => {
    const ada = await withAuthenticator('ada');
    const eve = await test.person('eve', { totp: test.userOf(ada.id).totp });
    await assert.rejects(check(eve, ada.codeAt(0)));
  });
});
