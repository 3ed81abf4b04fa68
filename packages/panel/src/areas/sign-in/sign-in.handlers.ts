/**
 * Signing in and out. `setup.ts` creates the first owner, `login.ts` checks a password, `invitation.ts` accepts an invitation; all
 * end in `finish-sign-in.ts`. `attempts.ts` limits guesses. Stronger methods are in `totp/`, `passkeys/`, `oidc/`.
 */
import type { AreaHandlers, Call, Handlers, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { confirm } from './confirm.ts';
import { enterService } from './enter.ts';
import { acceptInvitation, showInvitation } from './invitation.ts';
import { login } from './login.ts';
import { passkeyParts } from './passkeys/passkey-parts.ts';
import { finishSetup, setupStatus } from './setup.ts';
import { signInState } from './sign-in-state.ts';

type SignInOperation = 'auth.session' | 'auth.methods' | 'auth.login' | 'auth.enter' | 'auth.confirm' | 'auth.logout';

export function signInHandlers(
  parts: PanelParts,
): AreaHandlers<'setup'> & AreaHandlers<'invitation'> & Handlers<SignInOperation> {
  return {
    'setup.status': () => setupStatus(parts),
    'setup.finish': (call) => finishSetup(parts, call),
    'auth.session': async ({ person }) => ({ body: await signInState(parts, person?.session ?? null) }),
    'auth.methods': () => {
      const { oidc } = parts.config;
      const passkey = passkeyParts(parts).relying_party !== null;
      return { body: { passkey, oidc: oidc === undefined ? null : { name: oidc.name } } };
    },
    'auth.login': (call) => login(parts, call),
    'auth.enter': (call) => enterService(parts, call),
    'auth.confirm': (call) => confirm(parts, call),
    'auth.logout': (call) => logout(parts, call),
    'invitation.show': (call) => showInvitation(parts, call),
    'invitation.accept': (call) => acceptInvitation(parts, call),
  };
}

/** Idempotent: a browser that is already signed out gets the same answer. */
async function logout({ ledger, sessions }: PanelParts, call: Call<'auth.logout'>): Promise<Reply<'auth.logout'>> {
  const session = call.person?.session;
  if (session !== undefined) {
    await ledger.transact(call.cause, (tx) => {
      if (tx.get('session', session.id) === undefined) return;
      sessions.end(tx, session);
      tx.record({ target: { kind: 'session', id: session.id } });
    });
  }
  return { session_secret: null };
}
