import { MeshError } from '@meshwork/contract';
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Call, Reply } from '../../handler.ts';
import type { OidcParts } from './finish-oidc.ts';
import { JOURNEY_LIFETIME_S, type Journey, keptJourney } from './journey.ts';
import { reasonOf } from './oidc-problem.ts';
import { redirectUri } from './provider.ts';
import { returnPathOf } from './return-path.ts';

/** Sends a browser to the provider. The browser keeps what has to come back; the panel keeps nothing. */
export async function beginOidc(parts: OidcParts, call: Call<'auth.oidc_begin'>): Promise<Reply<'auth.oidc_begin'>> {
  const { provider, seal, site, log } = parts;
  const configuration = await provider.configuration().catch((error: unknown) => {
    log.warn({ reason: reasonOf(error) }, 'the identity provider is unreachable');
    throw new MeshError(
      'provider_unavailable',
      'The identity provider is unreachable. Try again, or sign in another way.',
      {
        retry_after_s: 2,
        cause: error,
      },
    );
  });
  const journey: Journey = {
    state: randomState(),
    nonce: randomNonce(),
    code_verifier: randomPKCECodeVerifier(),
    return_to: returnPathOf(call.body.return_to, site.url.href),
    replaces: call.person?.session.id ?? null,
    until_ms: call.now_ms + JOURNEY_LIFETIME_S * 1000,
  };
  const offered = configuration.serverMetadata().scopes_supported ?? [];
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(site.url),
    // Some providers send groups only when the scope is requested, and others refuse a scope that they do not know.
    scope: ['openid', 'profile', 'email', ...(offered.includes('groups') ? ['groups'] : [])].join(' '),
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await calculatePKCECodeChallenge(journey.code_verifier),
    code_challenge_method: 'S256',
    // A person who is signed in here has a session there too. Only a new sign-in at the provider proves anything.
    ...(journey.replaces === null ? {} : { prompt: 'login', max_age: String(JOURNEY_LIFETIME_S) }),
  });
  return { body: { url: url.href }, kept: [keptJourney(seal, journey)] };
}
