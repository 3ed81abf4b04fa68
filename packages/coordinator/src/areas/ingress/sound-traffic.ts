import { type FieldError, isGatewayHeader, type Traffic, type TrafficChange } from '@meshwork/contract';
import { faultsOfNetworks } from '../../mesh/sound-networks.ts';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';

type HeaderRules = Traffic['request_headers'];

const HOST_VALUE = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

/** What passes at a place of an ingress: the rules of all paths, or what a route has of its own. */
export function faultsOfTraffic(at: string, kind: WholeIngress['kind'], traffic: TrafficChange): FieldError[] {
  const { allow = [], deny = [] } = traffic.networks ?? {};
  return [
    ...faultsOfNetworks(`${at}/networks/allow`, allow),
    ...faultsOfNetworks(`${at}/networks/deny`, deny),
    ...deny.flatMap((network, index) =>
      allow.includes(network)
        ? [{ pointer: `${at}/networks/deny/${index}`, detail: `"${network}" is in allow too; name it in one of them` }]
        : [],
    ),
    ...(kind === 'http' ? faultsOfHeaders(at, traffic) : faultsWithoutRequests(at, kind, traffic)),
  ];
}

function faultsOfHeaders(at: string, { request_headers = [], response_headers = [] }: TrafficChange): FieldError[] {
  return [
    ...faultsOfRules(`${at}/request_headers`, request_headers, 'request'),
    ...faultsOfRules(`${at}/response_headers`, response_headers, 'response'),
  ];
}

function faultsOfRules(at: string, rules: HeaderRules, of: 'request' | 'response'): FieldError[] {
  const seen = new Set<string>();
  return rules.flatMap(({ name, value }, index) => {
    const key = name.toLowerCase();
    const isTwice = seen.has(key);
    seen.add(key);
    const pointer = `${at}/${index}`;
    if (isTwice) return [{ pointer: `${pointer}/name`, detail: `"${name}" is there twice` }];
    if (isGatewayHeader(name)) {
      return [{ pointer: `${pointer}/name`, detail: `"${name}" is made by gateways themselves; no rule changes it` }];
    }
    if (key !== 'host') return [];
    if (of === 'response') return [{ pointer: `${pointer}/name`, detail: '"Host" is a header of requests only' }];
    if (value !== null && isHost(value)) return [];
    return [{ pointer: `${pointer}/value`, detail: `must be a host for "Host", such as app.example.net or app:8080` }];
  });
}

function isHost(value: string): boolean {
  const [whole, port] = HOST_VALUE.exec(value) ?? [];
  return whole !== undefined && (port === undefined || (Number(port) > 0 && Number(port) <= MAX_PORT));
}

/** Where a gateway does not look into what passes, no rule can be about requests. */
function faultsWithoutRequests(at: string, kind: string, traffic: TrafficChange): FieldError[] {
  const { request_headers = [], response_headers = [], max_body_bytes = null, compress = false, limits } = traffic;
  const why = `: gateways do not look into what passes for the kind ${kind}`;
  const errors: FieldError[] = [];
  if ((limits?.requests ?? null) !== null) {
    errors.push({ pointer: `${at}/limits/requests`, detail: `must be null${why}; limit connections instead` });
  }
  if (limits?.by === 'identity') errors.push({ pointer: `${at}/limits/by`, detail: `must be address${why}` });
  if (request_headers.length > 0) errors.push({ pointer: `${at}/request_headers`, detail: `must be empty${why}` });
  if (response_headers.length > 0) errors.push({ pointer: `${at}/response_headers`, detail: `must be empty${why}` });
  if (max_body_bytes !== null) {
    errors.push({ pointer: `${at}/max_body_bytes`, detail: `must be null${why}` });
  }
  if (compress) errors.push({ pointer: `${at}/compress`, detail: `must be false${why}` });
  return errors;
}
