import { covers, type IngressId, MESH_DOMAIN, type Scope, WHOLE_MESH } from '@meshwork/contract';
import type { CertificateNames, Constraints } from '@meshwork/pki';
import { ensureMayUseHostname } from '../access/owners.ts';
import type { OfIngresses } from '../kinds/ca.ts';
import { ingressAt } from '../mesh/ingress-certificates.ts';
import type { Stored, View } from '../mesh/model.ts';

interface Asked {
  readonly names: CertificateNames;
  readonly scope: Scope;
  readonly constraints: Constraints;
}

interface GrantedHostnames {
  readonly faults: readonly string[];
  readonly of_ingresses: OfIngresses;
}

/**
 * Judges what a request for ingresses asks for: host names of ingresses inside the scope of the caller, in domains that the
 * authority certifies. Throws when the policy gives one of them to other owners, as it does where an ingress is made.
 */
export function grantedHostnames(view: View, { names, scope, constraints }: Asked): GrantedHostnames {
  const { dns, addresses, uris } = names;
  const ingresses: Stored<'ingress'>[] = [];
  const faults: string[] = [];
  for (const name of dns) {
    const what = `asks for the DNS name ${JSON.stringify(name)}`;
    const ingress = ingressAt(view, name);
    // What lies outside of its scope is not there for the caller.
    if (ingress === undefined || !covers(scope, ingress.body.scope)) {
      faults.push(`${what}, which is the host name of no ingress inside your scope`);
    } else if (isIn(name, MESH_DOMAIN)) {
      faults.push(`${what}, which belongs to nodes: names in "${MESH_DOMAIN}" are for the profile server`);
    } else if (!certifies(constraints, name)) {
      faults.push(`${what}, which lies in no domain that the root certifies; add it to ca.domains and rotate the root`);
    } else ingresses.push(ingress);
  }
  for (const other of [...addresses, ...uris]) {
    faults.push(`asks for ${JSON.stringify(other)}; the profile ingress has host names only`);
  }
  if (faults.length === 0) for (const name of dns) ensureMayUseHostname(view, scope, name);
  const ids = [...new Set(ingresses.map(({ id }) => id as IngressId))];
  return { faults, of_ingresses: { ids, scope: commonScope(ingresses) } };
}

/** Whether the authority can certify a name: programs refuse what lies outside of its domains. */
export function certifies({ domains }: Pick<Constraints, 'domains'>, name: string): boolean {
  return domains.some((domain) => isIn(name, domain));
}

export function isIn(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** That of all of them, or the whole mesh where they differ. */
function commonScope([first, ...rest]: readonly Stored<'ingress'>[]): Scope {
  if (first === undefined) return WHOLE_MESH;
  const text = JSON.stringify(first.body.scope);
  return rest.every(({ body }) => JSON.stringify(body.scope) === text) ? first.body.scope : WHOLE_MESH;
}
