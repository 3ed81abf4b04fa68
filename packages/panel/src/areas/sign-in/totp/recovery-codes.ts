import { hashOfTypedCode, newTypedCode } from '../../../users/secret-code.ts';

/** How many a person gets. */
export const RECOVERY_CODES = 10;

/** In case an authenticator is lost. Each works once; only hashes are stored, and 80 bits are too many to guess. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newTypedCode);
  return { codes, hashes: codes.map(hashOfTypedCode) };
}
