/** Every handler of the panel, area by area: the one visible list. The compiler complains until it is complete. */

import type { Handlers } from './handler.ts';
import { type MetaParts, metaHandlers } from './meta/meta.area.ts';
import type { PanelParts } from './parts.ts';
import { sessionHandlers } from './sessions/sessions.area.ts';
import { oidcHandlers } from './sign-in/oidc/oidc.handlers.ts';
import { passkeyHandlers } from './sign-in/passkeys/passkeys.handlers.ts';
import { profileHandlers } from './sign-in/profile.handlers.ts';
import { signInHandlers } from './sign-in/sign-in.handlers.ts';
import { totpHandlers } from './sign-in/totp/totp.handlers.ts';
import { trailHandlers } from './trail/trail.area.ts';
import { userHandlers } from './users/users.area.ts';

export function allHandlers(parts: PanelParts, meta: MetaParts): Handlers {
  return {
    ...signInHandlers(parts), // setup.*, auth.session, auth.methods, auth.login, auth.enter, auth.confirm, auth.logout, invitation.*
    ...totpHandlers(parts), // totp.*, auth.login_totp
    ...passkeyHandlers(parts), // passkeys.*, auth.passkey_options, auth.login_passkey
    ...oidcHandlers(parts), // auth.oidc_begin, auth.oidc_callback
    ...profileHandlers(parts), // profile.*
    ...sessionHandlers(parts), // sessions.*
    ...userHandlers(parts), // users.*
    ...trailHandlers(parts), // trail.*
    ...metaHandlers(meta), // meta.*
  };
}
