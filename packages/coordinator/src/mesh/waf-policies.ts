/** Which WAF policies ingresses use, and which nodes can put them in force. */
import type { IngressDocument } from '../kinds/ingress.ts';
import { carries } from './abilities.ts';
import type { View } from './model.ts';
import { pathsOf, wholeIngress } from './whole-ingress.ts';

/** Policies that requests to it have to pass on one path or another, each once, in order of id. */
export function policiesOf(ingress: IngressDocument): readonly string[] {
  const policies = pathsOf(wholeIngress(ingress)).flatMap(({ waf }) => waf ?? []);
  return [...new Set(policies)].sort();
}

/** Policies that it names, also one that no path of it uses: they cannot be deleted. */
export function policiesNamedBy({ waf = null, routes = [] }: IngressDocument): readonly string[] {
  return [...new Set([waf, ...routes.map((route) => route.waf)].flatMap((id) => id ?? []))].sort();
}

/**
 * Whether a node may serve an ingress as far as its WAF policies go. Also for one whose mode is `off`: turning it on must not
 * find the ingress on gateways that cannot inspect. A policy that is gone, as after a restored state, lets nothing be served.
 */
export function canInspect(view: View, node: string, ingress: IngressDocument): boolean {
  const policies = policiesOf(ingress);
  return (
    policies.length === 0 || (carries(view, node, 'waf') && policies.every((id) => view.get('waf', id) !== undefined))
  );
}
