/**
 * Which routes of the mesh a host takes. `subnets`: all but the default routes `0.0.0.0/0` and `::/0`, which would take
 * everything the host sends. `all` and `none` are what they say. The person who runs the host decides.
 */
export const ACCEPT_ROUTES = ['all', 'subnets', 'none'] as const;
export type AcceptRoutes = (typeof ACCEPT_ROUTES)[number];

export const DEFAULT_ACCEPT_ROUTES: AcceptRoutes = 'subnets';

/** `accept` is null for agents that do not report the setting: they take every route. */
export function acceptsRoute(accept: AcceptRoutes | null, network: string): boolean {
  if (accept === 'none') return false;
  return accept !== 'subnets' || !network.endsWith('/0');
}
