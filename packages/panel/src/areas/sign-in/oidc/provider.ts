/** The provider as configured, and the panel as its client. The protocol itself is the library's. */

import { isLoopback, readPrivateFile } from '@meshwork/service';
import type { Clock } from '@meshwork/time';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { OidcConfig } from '../../../oidc-config.ts';

/** For each request to the provider: a person waits at a browser. */
const TIMEOUT_S = 5;
/** A provider that is moved or changes its endpoints is noticed within this time. */
const DISCOVERED_FOR_MS = 3600 * 1000;
/** The pause after a failure. A caller without an account can make the panel ask. */
const ASK_AGAIN_AFTER_MS = 2000;

interface Discovered {
  readonly found: Promise<Configuration>;
  good_until: number;
}

export class OidcProvider {
  readonly settings: OidcConfig;
  readonly #clock: Clock;
  #discovered: Discovered | undefined;

  constructor(settings: OidcConfig, clock: Clock) {
    this.settings = settings;
    this.#clock = clock;
  }

  /** The provider's metadata. One request for all waiting callers, cached for an hour, and retried soon after a failure. */
  configuration(): Promise<Configuration> {
    const now = this.#clock.monotonic();
    if (this.#discovered === undefined || now >= this.#discovered.good_until) {
      this.#discovered = this.#discover();
    }
    return this.#discovered.found;
  }

  #discover(): Discovered {
    const discovered: Discovered = { found: this.#ask(), good_until: Number.POSITIVE_INFINITY };
    const goodFor = (ms: number) => {
      discovered.good_until = this.#clock.monotonic() + ms;
    };
    discovered.found.then(
      () => goodFor(DISCOVERED_FOR_MS),
      () => goodFor(ASK_AGAIN_AFTER_MS),
    );
    return discovered;
  }

  async #ask(): Promise<Configuration> {
    const { issuer, client_id, client_secret_file } = this.settings;
    // Read anew each time, so that a secret that was changed at the provider needs no restart.
    const client_secret = (await readPrivateFile(client_secret_file))?.trim();
    if (client_secret === undefined || client_secret === '') throw new Error(`${client_secret_file} holds no secret`);
    const server = new URL(issuer);
    // Plain HTTP only to this very machine: config.ts refuses it elsewhere too.
    const insecure = isLoopback(server.hostname.replace(/^\[|\]$/g, '')) ? [allowInsecureRequests] : [];
    return await discovery(server, client_id, undefined, clientAuthOf(client_secret), {
      timeout: TIMEOUT_S,
      // Signatures are checked even though the token comes over TLS from the provider itself.
      execute: [...insecure, enableNonRepudiationChecks],
    });
  }
}

/** As the provider takes it; what OpenID Connect presumes where the provider says nothing. */
function clientAuthOf(client_secret: string): ClientAuth {
  const basic = ClientSecretBasic(client_secret);
  const post = ClientSecretPost(client_secret);
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = taken.includes('client_secret_basic') ? basic : post;
    return auth(server, client, body, headers);
  };
}

/** Where the provider sends people back to: has to be registered there, to the letter. */
export function redirectUri(panel: URL): string {
  return new URL('/api/v1/auth/oidc/callback', panel).href;
}
