import type { FieldError, Upstream } from '@meshwork/contract';
import { transportOf, type WholeIngress } from '../../mesh/whole-ingress.ts';

interface Path {
  readonly service: string | null;
  readonly upstream: Upstream;
}

const HTTP_PROTOCOLS = ['http', 'https', 'grpc', 'grpcs'];
const CONNECTION_BALANCES = ['round_robin', 'least_connections', 'hash:address'];
const CONNECTION_CHECKS = ['tcp', 'none'];

/** How gateways reach a service, at a place of an ingress. */
export function faultsOfUpstream(at: string, ingress: WholeIngress, path: Path): FieldError[] {
  return [
    ...faultsOfProtocol(at, ingress, path.upstream),
    ...faultsOfCanary(at, path),
    ...faultsOfCheck(`${at}/check`, ingress, path.upstream),
    ...faultsOfWeights(`${at}/weights`, path.upstream),
  ];
}

function faultsOfProtocol(
  at: string,
  { kind, tls }: WholeIngress,
  { protocol, balance, proxy_protocol }: Upstream,
): FieldError[] {
  const errors: FieldError[] = [];
  const fault = (field: string, detail: string) => void errors.push({ pointer: `${at}/${field}`, detail });
  if (kind === 'http') {
    if (!HTTP_PROTOCOLS.includes(protocol)) {
      fault('protocol', `must be one of ${HTTP_PROTOCOLS.join(', ')} for the kind http`);
    } else if (protocol.startsWith('grpc') && tls.certificate === 'none') {
      fault('protocol', `"${protocol}" needs HTTP/2, which clients speak with TLS only; set tls.certificate to mesh`);
    }
    if (proxy_protocol) fault('proxy_protocol', 'must be false: it is for the kinds tcp and tls');
    return errors;
  }
  const transport = transportOf(kind);
  if (protocol !== transport) fault('protocol', `must be ${transport} for the kind ${kind}`);
  if (!CONNECTION_BALANCES.includes(balance)) {
    fault('balance', `must be one of ${CONNECTION_BALANCES.join(', ')} for the kind ${kind}`);
  }
  if (proxy_protocol && kind === 'udp') fault('proxy_protocol', 'must be false: it is for the kinds tcp and tls');
  return errors;
}

function faultsOfCanary(at: string, { service, upstream: { canary } }: Path): FieldError[] {
  if (canary === null) return [];
  if (service === null) {
    return [{ pointer: `${at}/canary`, detail: 'must be null: there is no service to take a share from' }];
  }
  if (canary.service !== service) return [];
  return [{ pointer: `${at}/canary/service`, detail: `"${service}" must be another service than the first` }];
}

function faultsOfCheck(at: string, { kind }: WholeIngress, { protocol, check }: Upstream): FieldError[] {
  const errors: FieldError[] = [];
  const fault = (field: string, detail: string) => void errors.push({ pointer: `${at}/${field}`, detail });
  if (kind !== 'http' && !CONNECTION_CHECKS.includes(check.kind)) {
    fault('kind', `must be one of ${CONNECTION_CHECKS.join(', ')} for the kind ${kind}`);
  } else if (check.kind === 'grpc' && !protocol.startsWith('grpc')) {
    fault('kind', `"grpc" needs the protocol grpc or grpcs, which is ${protocol}`);
  }
  const [low = '', high = low] = check.status.split('-');
  if (Number(high) < Number(low)) fault('status', `"${check.status}" ends below its start`);
  if (check.timeout_s > check.interval_s) {
    fault('timeout_s', `must be at most interval_s, which is ${check.interval_s}`);
  }
  return errors;
}

/** Only the first match counts, so that the second would never do anything. */
function faultsOfWeights(at: string, { weights }: Upstream): FieldError[] {
  const seen = new Set<string>();
  return weights.flatMap(({ nodes }, index) => {
    if (seen.has(nodes)) return [{ pointer: `${at}/${index}/nodes`, detail: `"${nodes}" is there twice` }];
    seen.add(nodes);
    return [];
  });
}
