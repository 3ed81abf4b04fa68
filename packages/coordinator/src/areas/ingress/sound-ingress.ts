import { type FieldError, MeshError, type Upstream } from '@meshwork/contract';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';

/** What no schema can say. Every fault is named at once. */
export function ensureSoundIngress({ service, upstream, routes }: WholeIngress): void {
  const errors: FieldError[] = faultsOfUpstream('/upstream', service, upstream);
  const paths = new Set<string>();
  for (const [index, route] of routes.entries()) {
    const { path } = route;
    const pointer = `/routes/${index}`;
    if (path === '/') errors.push({ pointer: `${pointer}/path`, detail: '"/" is what `service` is for' });
    else if (paths.has(path)) errors.push({ pointer: `${pointer}/path`, detail: `"${path}" is there twice` });
    paths.add(path);
    errors.push(...faultsOfUpstream(`${pointer}/upstream`, route.service, route.upstream));
  }
  if (errors.length === 0) return;
  const detail = errors.map(({ pointer, detail: text }) => `${pointer} ${text}`).join('; ');
  throw new MeshError('invalid', `${detail}.`, { errors });
}

function faultsOfUpstream(at: string, service: string, { canary, check, weights }: Upstream): FieldError[] {
  const errors: FieldError[] = [];
  if (canary?.service === service) {
    errors.push({ pointer: `${at}/canary/service`, detail: `"${service}" must be another service than the first` });
  }
  const [low = '', high = low] = check.status.split('-');
  if (Number(high) < Number(low)) {
    errors.push({ pointer: `${at}/check/status`, detail: `"${check.status}" ends below its start` });
  }
  if (check.timeout_s > check.interval_s) {
    const detail = `must be at most interval_s, which is ${check.interval_s}`;
    errors.push({ pointer: `${at}/check/timeout_s`, detail });
  }
  const selectors = new Set<string>();
  for (const [index, { nodes }] of weights.entries()) {
    // Only the first match counts, so that the second would never do anything.
    if (selectors.has(nodes)) {
      errors.push({ pointer: `${at}/weights/${index}/nodes`, detail: `"${nodes}" is there twice` });
    }
    selectors.add(nodes);
  }
  return errors;
}
