/**
 * Signing in through an OpenID Connect provider: `begin-oidc.ts` sends the browser there, `finish-oidc.ts` handles its return,
 * `ask-who.ts` exchanges the code for a person, and `admit-person.ts` decides whether they may sign in, and with which role.
 */
import { MeshError } from '@meshwork/contract';
import { Seal } from '../../../seal.ts';
import type { Handlers } from '../../handler.ts';
import type { PanelParts } from '../../parts.ts';
import { beginOidc } from './begin-oidc.ts';
import { finishOidc } from './finish-oidc.ts';
import { OidcProvider } from './provider.ts';

export function oidcHandlers(parts: PanelParts): Handlers<'auth.oidc_begin' | 'auth.oidc_callback'> {
  const { config, ledger, key } = parts;
  if (config.oidc === undefined) return { 'auth.oidc_begin': noProvider, 'auth.oidc_callback': noProvider };
  const provider = new OidcProvider(config.oidc, ledger.clock);
  const oidc = { ...parts, provider, seal: new Seal(key, 'oidc') };
  return {
    'auth.oidc_begin': (call) => beginOidc(oidc, call),
    'auth.oidc_callback': (call) => finishOidc(oidc, call),
  };
}

function noProvider(): never {
  throw new MeshError('not_found', 'No identity provider is configured. Set MESH_OIDC_ISSUER.');
}
