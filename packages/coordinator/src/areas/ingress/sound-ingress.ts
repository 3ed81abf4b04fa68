/** What no schema can say of an ingress: values that mean something, and fit its kind and each other. */
import { type FieldError, MeshError } from '@meshwork/contract';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';
import { faultsOfFront } from './sound-front.ts';
import { faultsOfRedirects } from './sound-redirects.ts';
import { faultsOfTraffic } from './sound-traffic.ts';
import { faultsOfUpstream } from './sound-upstream.ts';

/** Every fault is named at once. `more`: what is wrong with what it names. */
export function ensureSoundIngress(ingress: WholeIngress, more: readonly FieldError[] = []): void {
  const { kind, service, upstream, traffic } = ingress;
  const errors: FieldError[] = [
    ...faultsOfFront(ingress),
    ...faultsOfUpstream('/upstream', ingress, { service, upstream }),
    ...faultsOfTraffic('/traffic', kind, traffic),
    ...faultsOfRedirects(ingress),
    ...faultsOfWaf(ingress),
    ...faultsOfRoutes(ingress),
    ...more,
  ];
  if (errors.length === 0) return;
  const detail = errors.map(({ pointer, detail: text }) => `${pointer} ${text}`).join('; ');
  throw new MeshError('invalid', `${detail}.`, { errors });
}

/** Gateways look into requests of the kind `http` alone, and calls of gRPC are streams, which never come to an end to be judged. */
function faultsOfWaf({ kind, service, waf, upstream, routes }: WholeIngress): FieldError[] {
  if (kind !== 'http') {
    if (waf === null) return [];
    return [{ pointer: '/waf', detail: `must be null: gateways do not look into what passes for the kind ${kind}` }];
  }
  const own = waf !== null && service !== null && isGrpc(upstream);
  return [
    ...(own ? [{ pointer: '/waf', detail: 'must be null: gateways do not inspect calls of gRPC' }] : []),
    ...routes.flatMap((route, index) =>
      isGrpc(route.upstream) && (route.waf === undefined ? waf : route.waf) !== null
        ? [{ pointer: `/routes/${index}`, detail: 'needs `waf` as null: gateways do not inspect calls of gRPC' }]
        : [],
    ),
  ];
}

function isGrpc({ protocol }: Pick<WholeIngress['upstream'], 'protocol'>): boolean {
  return protocol === 'grpc' || protocol === 'grpcs';
}

function faultsOfRoutes(ingress: WholeIngress): FieldError[] {
  const { kind, routes } = ingress;
  if (kind !== 'http' && routes.length > 0) {
    return [{ pointer: '/routes', detail: `must be empty: an ingress of kind ${kind} has no paths` }];
  }
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  for (const [index, { path, ...route }] of routes.entries()) {
    const pointer = `/routes/${index}`;
    if (path === '/') errors.push({ pointer: `${pointer}/path`, detail: '"/" is what `service` is for' });
    else if (paths.has(path)) errors.push({ pointer: `${pointer}/path`, detail: `"${path}" is there twice` });
    paths.add(path);
    errors.push(
      ...faultsOfUpstream(`${pointer}/upstream`, ingress, route),
      ...faultsOfTraffic(`${pointer}/traffic`, kind, route.traffic),
    );
  }
  return errors;
}
