import type { UserId } from '@meshwork/contract';
import { isSameSecret } from '@meshwork/service';
import type { UserDocument } from '../../../ledger/documents.ts';
import type { Transaction } from '../../../ledger/transaction.ts';
import type { Seal } from '../../../seal.ts';
import { hashOfTypedCode } from '../../../users/secret-code.ts';
import { lastStepAt, stepOfCode } from './authenticator.ts';

type TotpProof = 'totp' | 'recovery_code';

interface Given {
  /** As it was typed. */
  readonly code: string;
  /** The one for `totp`. */
  readonly seal: Seal;
}

/**
 * What the code proves; it is used up by that. Undefined: nothing. Runs inside the transaction, so of two requests with the same
 * code, also at two panels, one finds it used. The caller counts a failure and records it.
 */
export function checkTotp(tx: Transaction, user: UserId, { code, seal }: Given): TotpProof | undefined {
  const body = tx.get('user', user)?.body;
  if (body === undefined || body.totp === null) return undefined;
  const digits = code.replace(/\s/g, '');
  const used = /^\d{6}$/.test(digits)
    ? useStep(body, stepOfCode(seal.open(body.totp.secret, user), digits, tx.now_ms), tx.now_ms)
    : useRecoveryCode(body, hashOfTypedCode(code));
  if (used === undefined) return undefined;
  tx.put('user', user, used.body);
  return used.proof;
}

interface Used {
  readonly body: UserDocument;
  readonly proof: TotpProof;
}

function useStep(body: UserDocument, step: number | undefined, now_ms: number): Used | undefined {
  if (body.totp === null || step === undefined) return undefined;
  const { last_step } = body.totp;
  // A step in the future comes from a clock that has been corrected: no code of that time is accepted before its time.
  if (step <= last_step && last_step <= lastStepAt(now_ms)) return undefined;
  return { body: { ...body, totp: { ...body.totp, last_step: step } }, proof: 'totp' };
}

function useRecoveryCode(body: UserDocument, hashed: string): Used | undefined {
  if (body.totp === null) return undefined;
  const recovery_codes = body.totp.recovery_codes.filter((kept) => !isSameSecret(hashed, kept));
  if (recovery_codes.length === body.totp.recovery_codes.length) return undefined;
  return { body: { ...body, totp: { ...body.totp, recovery_codes } }, proof: 'recovery_code' };
}
