import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  ClientError,
  type Configuration,
  fetchUserInfo,
  type IDToken,
} from 'openid-client';
import { JOURNEY_LIFETIME_S, type Journey } from './journey.ts';
import { OidcProblem } from './oidc-problem.ts';
import { type OidcProvider, redirectUri } from './provider.ts';
import { type ProviderPerson, providerPersonOf } from './provider-person.ts';

interface Answer {
  readonly panel: URL;
  /** What the provider had the browser bring along: the code, the state, or an error. */
  readonly search: string;
}

/**
 * Exchanges the code for the person. The library checks state, nonce, issuer, audience, expiry and signature. The address is the
 * one that the provider got from us, whatever a proxy in front made of it.
 */
export async function askWho(
  provider: OidcProvider,
  journey: Journey,
  { panel, search }: Answer,
): Promise<ProviderPerson> {
  try {
    const configuration = await provider.configuration();
    const url = new URL(redirectUri(panel));
    url.search = search;
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: journey.state,
      expectedNonce: journey.nonce,
      pkceCodeVerifier: journey.code_verifier,
      idTokenExpected: true,
      ...(journey.replaces === null ? {} : { maxAge: JOURNEY_LIFETIME_S }),
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new OidcProblem('provider_answer_invalid');
    const { groups_claim } = provider.settings;
    const more = await furtherClaims(configuration, { claims, groups_claim, access_token: tokens.access_token });
    return providerPersonOf({ ...more, ...claims }, groups_claim);
  } catch (error) {
    throw error instanceof OidcProblem ? error : new OidcProblem(codeOf(error), { cause: error });
  }
}

interface Known {
  readonly claims: IDToken;
  readonly groups_claim: string;
  readonly access_token: string;
}

/** Providers with small tokens send further claims on request. They must be about the same person. */
async function furtherClaims(
  configuration: Configuration,
  { claims, groups_claim, access_token }: Known,
): Promise<object> {
  const isComplete = groups_claim in claims && ('preferred_username' in claims || 'email' in claims);
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return await fetchUserInfo(configuration, access_token, claims.sub);
}

/** Errors with which a provider reports an outage of its own. Any other is its answer. */
const UNWELL = ['server_error', 'temporarily_unavailable'];
/** No answer, none in time, or one that no provider in working order gives. */
const SILENT = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];

function codeOf(error: unknown): OidcProblem['code'] {
  if (error instanceof AuthorizationResponseError) {
    return UNWELL.includes(error.error) ? 'provider_unavailable' : 'provider_refused';
  }
  if (error instanceof ClientError) {
    return SILENT.includes(error.code ?? '') ? 'provider_unavailable' : 'provider_answer_invalid';
  }
  // What `fetch` throws when nothing answers.
  return error instanceof TypeError && !('code' in error) ? 'provider_unavailable' : 'provider_answer_invalid';
}
