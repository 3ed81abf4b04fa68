/** Setup of the first owner: the panel prints a code at each start, until one was used. */
import { MeshError, newId, utc, WHOLE_MESH } from '@meshwork/contract';
import { checkOf, isSameSecret, type MasterKey } from '@meshwork/service';
import { SETUP, type SetupDocument } from '../../ledger/documents.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { PANEL } from '../../ledger/transaction.ts';
import { addUser } from '../../users/add-user.ts';
import { hashOfTypedCode, newTypedCode } from '../../users/secret-code.ts';
import type { Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { prefixHash } from './attempts.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { ensureGoodPassword } from './password-policy.ts';

const CODE_MS = 60 * 60 * 1000;
/** Not a valid name, so that guesses of the code share no counter with a person. */
const ACCOUNT = 'set up';

interface SetupCode {
  readonly code: string;
  readonly expires: string;
}

/** A new code while there is no first owner, which replaces the one before; null once there is. */
export function newSetupCode(ledger: Ledger, key: MasterKey): Promise<SetupCode | null> {
  const code = newTypedCode();
  const cause = { actor: PANEL, action: 'panel.start', request_id: null, address: null } as const;
  return ledger.transact(cause, (tx) => {
    if (isDone(tx.get('setup', SETUP)?.body)) return null;
    const expires = utc(tx.now_ms + CODE_MS);
    const code_sha256 = hashOfTypedCode(code);
    tx.put('setup', SETUP, { key_check: checkOf(key), code_sha256, code_expires: expires, done_at: null });
    tx.record({ detail: 'printed a code for the first owner' });
    return { code, expires };
  });
}

export function setupStatus({ ledger }: PanelParts): Reply<'setup.status'> {
  const setup = ledger.get('setup', SETUP)?.body;
  const expires = setup?.code_expires ?? null;
  const isGood = expires !== null && ledger.clock.now() < Date.parse(expires) && !isDone(setup);
  return { body: { needed: !isDone(setup), code_expires: isGood ? expires : null } };
}

export async function finishSetup(parts: PanelParts, call: Call<'setup.finish'>): Promise<Reply<'setup.finish'>> {
  const { name, password, code } = call.body;
  const display_name = call.body.display_name ?? name;
  const attempt = parts.attempts.begin(ACCOUNT, call.address, [prefixHash(ACCOUNT, call.address)]);
  ensureOpenTo(parts.ledger.get('setup', SETUP)?.body, code, call.now_ms);
  attempt.withdraw();
  ensureGoodPassword(password, { name, display_name });
  const hashed = await parts.passwords.hash(password);
  return finishSignIn(parts, call, (tx) => {
    // Checked again inside the transaction: of two concurrent requests, one succeeds.
    ensureOpenTo(tx.get('setup', SETUP)?.body, code, tx.now_ms);
    const done = { code_sha256: null, code_expires: null, done_at: utc(tx.now_ms) };
    tx.put('setup', SETUP, { key_check: checkOf(parts.key), ...done });
    const person = { name, display_name, role: 'owner', scope: WHOLE_MESH, created_by: PANEL };
    const user = addUser(tx, newId('user', tx.now_ms), { ...person, state: 'active', password: hashed });
    return { user, method: 'setup' };
  });
}

function ensureOpenTo(setup: SetupDocument | undefined, code: string, now_ms: number): void {
  if (isDone(setup))
    throw new MeshError('setup_closed', 'The first owner already exists. Sign in, or ask an owner for an invitation.');
  const { code_sha256 = null, code_expires = null } = setup ?? {};
  const isRight = code_sha256 !== null && isSameSecret(hashOfTypedCode(code), code_sha256);
  if (isRight && code_expires !== null && now_ms < Date.parse(code_expires)) return;
  throw new MeshError(
    'setup_code_invalid',
    'Use the setup code that the panel printed at its last start. It is valid for one hour.',
  );
}

function isDone(setup: SetupDocument | undefined): boolean {
  return setup !== undefined && setup.done_at !== null;
}
