/** A person's own account. How they sign in beyond a password is in `totp/`, `passkeys/` and `oidc/`. */

import { personOf } from '../../callers/caller.ts';
import type { AreaHandlers, Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { ensureOwnPassword } from './login.ts';
import { ownAccount } from './own-account.ts';
import { ensureGoodPassword } from './password-policy.ts';
import { profileOf } from './profile-of.ts';
import { SignInFailed } from './sign-in-failed.ts';

export function profileHandlers(parts: PanelParts): AreaHandlers<'profile'> {
  const { ledger } = parts;
  return {
    'profile.show': (call) => ({ body: profileOf(ledger, personOf(call).user) }),
    'profile.update': async (call) => {
      const user = await ledger.transact(call.cause, (tx) => {
        const { user: current } = ownAccount(tx, personOf(call));
        const changed = tx.put('user', current.id, { ...current.body, ...call.body });
        tx.record({ target: { kind: 'user', id: current.id }, detail: Object.keys(call.body).join(', ') });
        return changed;
      });
      return { body: profileOf(ledger, user) };
    },
    'profile.change_password': (call) => changePassword(parts, call),
  };
}

/** Ends all other sessions and replaces this session's cookie: the old password or a stolen cookie is worth nothing afterwards. */
async function changePassword(
  parts: PanelParts,
  call: Call<'profile.change_password'>,
): Promise<Reply<'profile.change_password'>> {
  const person = personOf(call);
  const { name, display_name, password } = person.user.body;
  await ensureOwnPassword(parts, call, { id: person.id, name, password, given: call.body.current });
  ensureGoodPassword(call.body.password, { name, display_name });
  const hashed = await parts.passwords.hash(call.body.password);
  const { user, secret } = await parts.ledger.transact(call.cause, (tx) => {
    const own = ownAccount(tx, person);
    if (own.user.body.password !== password) throw new SignInFailed(person.id, 'The password has just been changed.');
    const changed = tx.put('user', person.id, { ...own.user.body, password: hashed });
    parts.sessions.endAll(tx, person.id, own.session.id);
    tx.record({ target: { kind: 'user', id: person.id } });
    // The password alone proves who it is only where there is no authenticator: `confirm.ts` would ask for its code.
    const isProof = own.user.body.totp === null;
    const renewed = isProof ? parts.sessions.prove(tx, own.session) : parts.sessions.renew(tx, own.session);
    return { user: changed, secret: renewed.secret };
  });
  return { body: profileOf(parts.ledger, user), session_secret: secret };
}
