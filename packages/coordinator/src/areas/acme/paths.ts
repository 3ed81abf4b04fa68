/** Where the protocol is. Clients are configured with the directory, and get the rest from it. */
export const ACME_PATH = '/v1/acme';
export const ACCOUNT_PATH = `${ACME_PATH}/account/`;

/** The URL of something, for a caller who believes us to be at `origin`. */
export interface Urls {
  readonly origin: string;
}

export function urlOf({ origin }: Urls, ...path: readonly string[]): string {
  return [`${origin}${ACME_PATH}`, ...path].join('/');
}
