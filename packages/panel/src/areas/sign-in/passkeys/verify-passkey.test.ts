import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type UserId, utc } from '@meshwork/contract';
import { type Odd, SoftwareAuthenticator } from '../../../../test/sign-in/software-authenticator.ts';
import { TestLedger } from '../../../../test/sign-in/test-ledger.ts';
import { Seal } from '../../../seal.ts';
import { creationOptions, verifyNewPasskey } from './passkey-ceremony.ts';
import { relyingPartyOf } from './relying-party.ts';
import { CHALLENGE_LIFETIME_MS, SignInChallenges } from './sign-in-challenges.ts';
import { usePasskey } from './use-passkey.ts';
import { verifyPasskey } from './verify-passkey.ts';

const ORIGIN = 'https://panel.example';
const A_DAY_S = 24 * 3600;
const relying_party = { id: 'panel.example', origin: ORIGIN };
const challenges = new SignInChallenges(new Seal(createSecretKey(randomBytes(32)), 'passkey-challenge'));

describe('a passkey', () => {
  let test: TestLedger;
  before(async () => {
    test = await TestLedger.open();
  });
  after(() => test.close());

  const storedUser = (id: UserId) => {
    const user = test.ledger.get('user', id);
    assert.ok(user);
    return user;
  };
  const withPasskey = async (name: string, odd: Odd = {}) => {
    const id = await test.person(name);
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const options = await creationOptions(relying_party, storedUser(id));
    const made = await verifyNewPasskey(relying_party, authenticator.create({ ...options }, odd), options.challenge);
    assert.ok(made);
    const passkey = {
      ...made,
      name: 'key',
      created_at: utc(test.clock.now()),
      last_used_at: null,
      last_challenge_ms: 0,
    };
    await test.transact((tx) => tx.put('user', id, { ...test.userOf(id), passkeys: [passkey] }));
    return { id, authenticator };
  };
  const options = () => ({
    challenge: Buffer.from(challenges.issue(test.clock.now())).toString('base64url'),
    rpId: relying_party.id,
  });
  const verify = (answer: Record<string, unknown>) =>
    verifyPasskey({ ledger: test.ledger, relying_party, challenges }, answer, test.clock.now());

  it('identifies its person, and is accepted once for a challenge, also in concurrent requests', async () => {
    const { id, authenticator } = await withPasskey('ada');
    const proven = await verify(authenticator.get(options()));
    assert.ok(proven);
    assert.equal(proven.user, id);
    const used = await Promise.all(Array.from({ length: 8 }, () => test.transact((tx) => usePasskey(tx, proven))));
    assert.equal(used.filter(Boolean).length, 1);
    assert.notEqual(test.userOf(id).passkeys[0]?.last_used_at, null);
  });

  it('answers two challenges in the order they were issued, and an older one no more after a newer', async () => {
    const { authenticator } = await withPasskey('orderly');
    const first = options();
    test.clock.advance(1);
    const second = options();
    const [older, newer] = [await verify(authenticator.get(first)), await verify(authenticator.get(second))];
    assert.ok(older !== undefined && newer !== undefined);
    assert.equal(await test.transact((tx) => usePasskey(tx, newer)), true);
    assert.equal(await test.transact((tx) => usePasskey(tx, older)), false);
  });

  it('is accepted again once a clock that was far ahead is corrected, and no challenge from that time is', async () => {
    const { authenticator } = await withPasskey('ahead');
    const use = async (answer: Record<string, unknown>) => {
      const proven = await verify(answer);
      return proven !== undefined && (await test.transact((tx) => usePasskey(tx, proven)));
    };
    test.clock.advance(A_DAY_S);
    const ahead = authenticator.get(options());
    assert.equal(await use(ahead), true);
    const unused = authenticator.get(options());
    test.clock.advance(-A_DAY_S);
    assert.equal(await use(unused), false);
    const now = authenticator.get(options());
    assert.deepEqual([await use(now), await use(now), await use(ahead)], [true, false, false]);
  });

  it('proves nothing from another page, for another site, or without its person', async () => {
    const { authenticator } = await withPasskey('careful');
    const odd: Record<string, Odd> = {
      'another origin': { origin: 'https://panel.example.evil.example' },
      'a longer origin': { origin: `${ORIGIN}:8443` },
      'plain http': { origin: 'http://panel.example' },
      'another site': { rp_id: 'evil.example' },
      'a person who was not verified': { unverified: true },
      'no user present': { absent: true },
      'the other ceremony': { type: 'webauthn.create' },
      'no word of whose it is': { user_handle: null },
      'a name instead of an id': { user_handle: Buffer.from('careful').toString('base64url') },
    };
    for (const [what, how] of Object.entries(odd)) {
      assert.equal(await verify(authenticator.get(options(), how)), undefined, what);
    }
    assert.ok(await verify(authenticator.get(options())));
  });

  it('of one person does not stand for another', async () => {
    const ada = await withPasskey('one');
    const eve = await withPasskey('other');
    const user_handle = Buffer.from(ada.id).toString('base64url');
    assert.equal(await verify(eve.authenticator.get(options(), { user_handle })), undefined);
  });

  it('answers only challenges that this panel issued, and within five minutes', async () => {
    const { authenticator } = await withPasskey('timely');
    const foreign = new SignInChallenges(new Seal(createSecretKey(randomBytes(32)), 'passkey-challenge'));
    for (const bytes of [randomBytes(32), Buffer.from(foreign.issue(test.clock.now())), Buffer.alloc(0)]) {
      const made_up = { ...options(), challenge: bytes.toString('base64url') };
      assert.equal(await verify(authenticator.get(made_up)), undefined);
    }
    const given = options();
    test.clock.advance(CHALLENGE_LIFETIME_MS / 1000 - 5);
    const answer = authenticator.get(given);
    assert.ok(await verify(answer));
    test.clock.advance(6);
    assert.equal(await verify(answer), undefined);
  });

  it('that counts must count up: a copy that lags behind is refused, also after both were verified', async () => {
    const { id, authenticator } = await withPasskey('counting', { counter: 7 });
    assert.equal(await verify(authenticator.get(options(), { counter: 7 })), undefined);
    const ahead = await verify(authenticator.get(options(), { counter: 9 }));
    test.clock.advance(1);
    const behind = await verify(authenticator.get(options(), { counter: 8 }));
    assert.ok(ahead !== undefined && behind !== undefined);
    assert.equal(await test.transact((tx) => usePasskey(tx, ahead)), true);
    assert.equal(await test.transact((tx) => usePasskey(tx, behind)), false);
    assert.equal(test.userOf(id).passkeys[0]?.counter, 9);
  });

  it('counts for nothing once its person is disabled or it was removed, though it was verified before', async () => {
    const { id, authenticator } = await withPasskey('leaving');
    const proven = await verify(authenticator.get(options()));
    assert.ok(proven);
    await test.transact((tx) => tx.put('user', id, { ...test.userOf(id), state: 'disabled' }));
    assert.equal(await test.transact((tx) => usePasskey(tx, proven)), false);
    await test.transact((tx) => tx.put('user', id, { ...test.userOf(id), state: 'active', passkeys: [] }));
    assert.equal(await test.transact((tx) => usePasskey(tx, proven)), false);
  });

  it('is refused without an error when the response has the wrong shape', async () => {
    const { authenticator } = await withPasskey('shapely');
    const good = authenticator.get(options());
    const response = good.response as Record<string, unknown>;
    const tampered = Buffer.from(String(response.signature), 'base64url');
    tampered[10] = (tampered[10] ?? 0) ^ 1;
    for (const bad of [
      {},
      { response: null },
      { ...good, response: 'text' },
      { ...good, id: 7 },
      { ...good, rawId: 'AA' },
      { ...good, response: { ...response, clientDataJSON: 'e30' } },
      { ...good, response: { ...response, authenticatorData: 'AA' } },
      { ...good, response: { ...response, signature: tampered.toString('base64url') } },
    ]) {
      assert.equal(await verify(bad), undefined, JSON.stringify(bad));
    }
  });
});

describe('a new passkey', () => {
  let test: TestLedger;
  before(async () => {
    test = await TestLedger.open();
  });
  after(() => test.close());

  it('is taken only from our page, for our site, with its person verified, and for this very challenge', async () => {
    const user = test.ledger.get('user', await test.person('ada'));
    assert.ok(user);
    const options = await creationOptions(relying_party, user);
    assert.equal(options.authenticatorSelection?.residentKey, 'required');
    assert.equal(options.authenticatorSelection.userVerification, 'required');
    const add = (odd: Odd, challenge = options.challenge) =>
      verifyNewPasskey(relying_party, new SoftwareAuthenticator(ORIGIN).create({ ...options }, odd), challenge);
    assert.ok(await add({}));
    assert.equal(await add({ origin: 'https://evil.example' }), undefined);
    assert.equal(await add({ rp_id: 'evil.example' }), undefined);
    assert.equal(await add({ unverified: true }), undefined);
    assert.equal(await add({ absent: true }), undefined);
    assert.equal(await add({ type: 'webauthn.get' }), undefined);
    assert.equal(await add({}, randomBytes(32).toString('base64url')), undefined);
    assert.equal(await verifyNewPasskey(relying_party, {}, options.challenge), undefined);
  });
});

describe('the address of the panel', () => {
  it('can have passkeys when it is a name over TLS, or this machine', () => {
    assert.deepEqual(relyingPartyOf('https://panel.example:8443/'), {
      id: 'panel.example',
      origin: 'https://panel.example:8443',
    });
    assert.equal(relyingPartyOf('http://localhost:7480')?.id, 'localhost');
    for (const none of [
      'http://panel.example',
      'https://192.0.2.7',
      'https://[2001:db8::7]:7480',
      'http://127.0.0.1:7480',
    ]) {
      assert.equal(relyingPartyOf(none), null, none);
    }
  });
});
