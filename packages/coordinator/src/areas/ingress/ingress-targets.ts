/** Which nodes an ingress leads to: what gateways are sent of them, and what people are shown. */
import {
  type AssignedPool,
  type AssignedRoute,
  covers,
  type Ingress,
  type NodeId,
  type Service,
  type Upstream,
} from '@meshwork/contract';
import type { IngressDocument } from '../../kinds/ingress.ts';
import type { NodeDocument } from '../../kinds/nodes.ts';
import type { Directory } from '../../mesh/directory.ts';
import type { View } from '../../mesh/model.ts';
import { boundaryOfNode, isFresh, isMember, nodeState } from '../../mesh/node-state.ts';
import { pathsOf, servicesOf, transportOf, upstreamsOf, wholeIngress } from '../../mesh/whole-ingress.ts';
import { mayReach, type TransportPort } from '../../views/may-reach.ts';
import type { Reach } from '../../views/reach.ts';
import { selectorsOf } from './ingress-indexes.ts';

/** What targets follow from. */
export interface TargetSources {
  readonly directory: Directory;
  readonly reach: Reach;
}

type Target = Ingress['targets'][number];

export const NO_WEIGHT = 'Its weight is 0, so gateways send it nothing.';

/** A node that reports a service of an ingress, inside the scope of the ingress. */
interface Candidate {
  readonly id: NodeId;
  readonly node: NodeDocument;
  readonly on: TransportPort;
  /** Why no gateway sends requests there. Null: those may that the policy lets reach it. */
  readonly problem: string | null;
}

/** The paths of an ingress as one gateway is sent them, with the targets that the policy lets it reach. */
export function routesFor(
  view: View,
  { directory, reach }: TargetSources,
  { gateway, ingress }: { readonly gateway: NodeId; readonly ingress: IngressDocument },
): AssignedRoute[] {
  const pool = (service: string, percent: number, { weights }: Upstream): AssignedPool => ({
    service,
    percent,
    targets: candidatesFor(view, directory, ingress, service)
      .filter(({ id, on, problem }) => problem === null && mayReach(reach, gateway, id, on))
      .map(({ id, node, on }) => ({
        node: id,
        name: node.name,
        address: node.address,
        port: on.port,
        weight: weightOf(node, weights),
      })),
  });
  return pathsOf(wholeIngress(ingress))
    .map(({ path, service, upstream, traffic, waf }) => {
      const { protocol, balance, proxy_protocol, check, canary } = upstream;
      const main = pool(service, 100 - (canary?.percent ?? 0), upstream);
      const pools = canary === null ? [main] : [main, pool(canary.service, canary.percent, upstream)];
      return { path, protocol, balance, proxy_protocol, check, traffic, ...(waf === null ? {} : { waf }), pools };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** All nodes that report a service of the ingress, also those that get no requests, with why. */
export function targetsOf(
  view: View,
  { directory, reach }: TargetSources,
  { gateways, ingress }: { readonly gateways: readonly NodeId[]; readonly ingress: IngressDocument },
): Target[] {
  const barredFrom = (id: NodeId, on: TransportPort) => gateways.filter((gateway) => !mayReach(reach, gateway, id, on));
  return servicesOf(ingress).flatMap((service) => {
    const upstreams = upstreamsOf(ingress, service);
    return candidatesFor(view, directory, ingress, service).map(({ id, node, on, problem }) => {
      const { name, address } = node;
      const why = () =>
        weightless(node, upstreams) ??
        portsNeeded(on, upstreams)
          .map((port) => missingGrant(view, barredFrom(id, port), name, port))
          .find((missing) => missing !== null) ??
        null;
      return { service, node: id, name, address, port: on.port, problem: problem ?? why() };
    });
  });
}

/** Whether any of some gateways may send requests of a path to a node of its service. Without gateways: whether one could. */
export function hasTarget(
  view: View,
  { directory, reach }: TargetSources,
  asked: {
    readonly gateways: readonly NodeId[];
    readonly ingress: IngressDocument;
    readonly service: string;
    readonly upstream: Upstream;
  },
): boolean {
  const { gateways, ingress, service, upstream } = asked;
  return candidatesFor(view, directory, ingress, service).some(
    ({ id, node, on, problem }) =>
      problem === null &&
      weightless(node, [upstream]) === null &&
      (gateways.length === 0 || gateways.some((gateway) => mayReach(reach, gateway, id, on))),
  );
}

/** In order of id, so that every coordinator sends gateways the same. */
function candidatesFor(view: View, directory: Directory, ingress: IngressDocument, service: string): Candidate[] {
  const transport = transportOf(wholeIngress(ingress).kind);
  return [...directory.nodesOffering(service)].sort().flatMap((id) => {
    const node = view.get('node', id);
    const offers = view.get('report', id)?.body.services.filter(({ name }) => name === service) ?? [];
    const offer = offers.find(({ protocol }) => protocol === transport) ?? offers[0];
    if (node === undefined || offer === undefined || !covers(ingress.scope, boundaryOfNode(node.body))) return [];
    const isThere = isMember(node.body) && isFresh(view, id);
    const problem = isThere ? problemOf(offer, transport) : `The node is ${nodeState(view, node)}.`;
    return [{ id, node: node.body, on: { transport, port: offer.port }, problem }];
  });
}

function problemOf({ protocol, health }: Service, transport: string): string | null {
  if (protocol !== transport) return `It offers the service over ${protocol}, and gateways speak ${transport}.`;
  return health === 'failing' ? 'The node says that the service fails its check.' : null;
}

/** The first that matches counts. */
function weightOf(node: NodeDocument, weights: Upstream['weights']): number {
  const selectors = selectorsOf(node);
  return weights.find(({ nodes }) => selectors.includes(nodes))?.weight ?? 1;
}

/** Said only of a node that gets nothing on any path. */
function weightless(node: NodeDocument, upstreams: readonly Upstream[]): string | null {
  const gets = upstreams.some(({ weights }) => weightOf(node, weights) > 0);
  return gets ? null : NO_WEIGHT;
}

/** What a grant has to allow. A check of a service over udp is a connection over tcp. */
function portsNeeded(on: TransportPort, upstreams: readonly Upstream[]): readonly TransportPort[] {
  const connects = upstreams.some(({ check }) => check.kind !== 'none');
  return on.transport === 'udp' && connects ? [on, { ...on, transport: 'tcp' }] : [on];
}

/** Gateways are inside the scope of the ingress, as its targets are, so that naming them shows nothing more. */
function missingGrant(view: View, barred: readonly NodeId[], target: string, on: TransportPort): string | null {
  if (barred.length === 0) return null;
  const names = listed(barred.map((id) => view.get('node', id)?.body.name ?? id));
  const port = `${on.transport}:${on.port}`;
  return `No grant lets ${names} reach it on ${port}: add one from a group with ${names} to a group with ${target} that allows ${port}.`;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
