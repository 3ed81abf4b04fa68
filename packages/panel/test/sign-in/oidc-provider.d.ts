/** As much of `oidc-provider` as our tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface Account {
    readonly accountId: string;
    claims(): Readonly<Record<string, unknown>> & { readonly sub: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): RequestListener;
  }
}
