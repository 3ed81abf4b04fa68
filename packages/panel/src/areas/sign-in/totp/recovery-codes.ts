import { hashOfTypedCode, newTypedCode } from '../../../users/secret-code.ts';

/** How many a person gets. */
export const RECOVERY_CODES = 10;

/** For the day an authenticator is lost. Each is good once; only hashes are kept, and 80 bits are too many to try. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newTypedCode);
  return { codes, hashes: codes.map(hashOfTypedCode) };
}
