import { type Feature, type ProbeKind, SECTIONS, type Section } from '@meshwork/contract';
import type { IngressDocument } from '../kinds/ingress.ts';
import { authorityOf, givenBy } from './given-certificates.ts';
import type { View } from './model.ts';
import { pathsOf, type WholeIngress, wholeIngress } from './whole-ingress.ts';

/** Whether the agent of a node can put a section into effect. One that has not said carries what version 0.1.0 did. */
export function carries(view: View, node: string, section: Section): boolean {
  const said: readonly string[] | undefined = view.get('report', node)?.body.abilities?.sections;
  return said === undefined ? SECTIONS[section].in_0_1_0 === 'carries' : said.includes(section);
}

/**
 * Whether a section is worth sending. An agent that names what it carries is not sent the rest. One that has not said knows
 * every section of version 0.1.0: it is sent them empty, or it would hold on to what an older coordinator gave it.
 */
export function isSent(view: View, node: string, section: Section): boolean {
  const isSilent = view.get('report', node)?.body.abilities === undefined;
  return isSilent ? SECTIONS[section].in_0_1_0 !== 'refuses' : carries(view, node, section);
}

/** Whether the agent of a node answers probes of a kind. One that has not said answers none. */
export function answersProbes(view: View, node: string, kind: ProbeKind): boolean {
  return view.get('report', node)?.body.abilities?.probes?.includes(kind) === true;
}

/** Whether gateways have to know which node asks: for the service, or for a limit. */
function asksForIdentity(ingress: WholeIngress): boolean {
  return ingress.mesh_identity || pathsOf(ingress).some(({ traffic }) => traffic.limits.by === 'identity');
}

/** What an agent must be able to do, beside the section itself, to serve an ingress as it asks for: never less protected. */
function featuresFor(ingress: IngressDocument): readonly Feature[] {
  const whole = wholeIngress(ingress);
  return [
    ...(whole.tls.clients === 'none' ? [] : ['client_certificates' as const]),
    ...(givenBy(ingress) === undefined ? [] : ['given_certificates' as const]),
    ...(authorityOf(ingress) === undefined ? [] : ['ordered_certificates' as const]),
    ...(whole.sign_in === null ? [] : ['sign_in' as const]),
    ...(asksForIdentity(whole) ? ['mesh_identity' as const] : []),
  ];
}

/** Whether the agent of a node can do something that came to sections later. */
export function hasFeature(view: View, node: string, feature: Feature): boolean {
  return view.get('report', node)?.body.abilities?.features?.includes(feature) === true;
}

/** The first thing that an ingress needs and the agent of a node is too old for. Undefined: it can all of it. */
export function lackingFeature(view: View, node: string, ingress: IngressDocument): Feature | undefined {
  const said: readonly string[] = view.get('report', node)?.body.abilities?.features ?? [];
  return featuresFor(ingress).find((feature) => !said.includes(feature));
}
