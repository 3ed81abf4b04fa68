/** Host names of ingresses that this node reaches through the mesh: what is answered for them, and what the host has to ask for. */
import type { DnsSection } from '@meshwork/contract';
import { MESH_DOMAIN } from '@meshwork/contract/vocabulary';
import type { HeldView } from '../../view/held-view.ts';

export type IngressName = NonNullable<DnsSection['ingresses']>[number];

/** Those that no coordinator has or lies below: it is always resolved outside of the mesh, also while the agent does not run. */
export function ingressNames(view: HeldView, coordinators: readonly string[]): readonly IngressName[] {
  const kept = aboveAny(coordinators);
  return (view.sections.dns?.ingresses ?? []).filter(({ hostname }) => !kept.has(hostname));
}

/**
 * The domains by which a resolver that routes by domain comes to ask for these names. Where it takes fewer than there are names, it
 * is given the domains that they lie in.
 */
export function domainsOf(
  names: readonly IngressName[],
  { most, coordinators }: { readonly most: number; readonly coordinators: readonly string[] },
): readonly string[] {
  const all = names.map(({ hostname }) => hostname).filter((name) => !name.endsWith(`.${MESH_DOMAIN}`));
  if (all.length <= most) return all;
  const kept = aboveAny(coordinators);
  const domains = all.map((name) => {
    const parent = name.slice(name.indexOf('.') + 1);
    return parent.includes('.') && !kept.has(parent) ? parent : name; // never the top, such as `org`
  });
  return [...new Set(domains)].slice(0, Math.max(0, most));
}

/** The name itself, and all that it lies below. */
export function* namesAbove(name: string): Generator<string> {
  yield name;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) yield name.slice(dot + 1);
}

function aboveAny(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(hosts.flatMap((host) => [...namesAbove(host.toLowerCase())]));
}
