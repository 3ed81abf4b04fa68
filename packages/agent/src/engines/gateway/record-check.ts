import type { IngressAssignment } from '@meshwork/contract';
import { isId } from '@meshwork/contract/vocabulary';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Names and addresses. nginx would take one that begins with "~" for a pattern, and "*" for any name. */
const HOSTNAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}(?:\\.${LABEL})*|[0-9a-f:]{2,39})$`);
const SERVICE = new RegExp(`^${LABEL}$`);
const PATH = /^(?=.{1,200}$)\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$/;

/** What is written into the configuration means only itself. What is not like that is refused, and named. */
export function checkRecord({ id, hostname, routes }: IngressAssignment): void {
  const refuse = (what: string, value: string) => {
    throw new Error(`ingress ${JSON.stringify(id)} cannot be served: ${what} ${JSON.stringify(value)} is not one`);
  };
  if (!isId('ingress', id)) refuse('its id', id);
  if (!HOSTNAME.test(hostname)) refuse('its host name', hostname);
  for (const { path, pools } of routes) {
    if (!PATH.test(path)) refuse('the path', path);
    const [first] = pools;
    if (first !== undefined && !SERVICE.test(first.service)) refuse('the service', first.service);
  }
  const paths = new Set(routes.map(({ path }) => path));
  if (paths.size < routes.length) throw new Error(`ingress ${id} cannot be served: it has two routes for one path`);
}
