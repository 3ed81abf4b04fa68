import type { TOTP } from 'otpauth';

/** Six digits that the authenticator does not show now: of three in a million secrets even zeros are the right ones. */
export function wrongCode(totp: TOTP, now_ms: number): string {
  const isWrong = (token: string) => totp.validate({ token, timestamp: now_ms, window: 1 }) === null;
  const wrong = ['000000', '111111', '222222', '333333'].find(isWrong);
  if (wrong === undefined) throw new Error('four codes are right at once, though only three count as now');
  return wrong;
}
