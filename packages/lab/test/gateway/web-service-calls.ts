/** What a web service of a test is asked: see `web-service.ts`. */
export type ServiceRequest =
  | { readonly do: 'serve'; readonly name: string; readonly port: number; readonly tls?: { readonly folder: string } }
  | { readonly do: 'health'; readonly status: number }
  | { readonly do: 'counts' };

export interface ServiceCounts {
  /** Requests that were answered, other than those of health checks. */
  readonly answered: number;
  readonly checks: number;
  /** Websockets that are open. */
  readonly sockets: number;
  /** Headers of the last request. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ServiceReplies {
  readonly serve: null;
  readonly health: null;
  readonly counts: ServiceCounts;
}
