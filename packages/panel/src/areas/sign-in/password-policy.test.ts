import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ensureGoodPassword } from './password-policy.ts';

const ADA = { name: 'ada.lovelace', display_name: 'Ada Lovelace' };
const isGood = (password: string) => {
  try {
    ensureGoodPassword(password, ADA);
    return true;
  } catch {
    return false;
  }
};

describe('the password policy', () => {
  it('refuses common passwords', () => {
    const common =
      `password1234 Password1234! Passw0rd1234 p@ssw0rd1234 passwordpassword qwertyuiop12 1qaz2wsx3edc4rfv 123456789012
      1234567890123 111111111111 aaaaaaaaaaaa abcdefghijkl abc123abc123 iloveyou1234 iloveyouiloveyou letmein12345 welcome12345
      Welcome2024! administrator admin1234567 administrator1 football1234 princess1234 sunshine1234 superman1234 trustno1trustno1
      qwerty123456 qwertyqwerty asdfghjkl123 zxcvbnm12345 changeme1234 ChangeMe123! secretsecret monkey123456 dragon123456
      Summer2024!! Winter2025!! meshwork1234 meshworkpanel mesh-owner-1234 wireguard123 121212121212 123123123123 987654321098
      correcthorsebatterystaple`.split(/\s+/);
    assert.deepEqual(common.filter(isGood), []);
  });

  it('refuses the person’s name with something around it', () => {
    assert.deepEqual(
      ['adalovelace1', 'ada.lovelace', 'Lovelace1234', 'AdaAdaAda123', 'lovelaceada!!'].filter(isGood),
      [],
    );
  });

  it('accepts words and random text', () => {
    const good = [
      'correct zebra lantern gravel',
      'k8Vq!r2xPz0w',
      'drei nasse Katzen tanzen',
      'jRmv-wq7e-pDtx',
      'ein sehr langer satz 1',
    ];
    assert.deepEqual(
      good.filter((password) => !isGood(password)),
      [],
    );
  });

  it('checks a hostile password within a moment', () => {
    for (const password of ['ab'.repeat(512), 'abc1'.repeat(256), `${'a1b2'.repeat(255)}!`, '\u{1f600}'.repeat(500)])
      isGood(password);
  });

  it('takes time that grows only linearly with the length: some letters become eighteen', () => {
    const different = Array.from({ length: 10_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    assert.equal(isGood(different.map((letter) => `\ufdfa${letter}`).join('')), true);
  });
});
