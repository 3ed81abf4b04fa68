import { type FieldError, saysClientAddress } from '@meshwork/contract';
import { HTTP_PORT, HTTPS_PORT } from '../../mesh/ingress-front.ts';
import { faultsOfNetworks } from '../../mesh/sound-networks.ts';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';

/** Where gateways listen for HTTP and HTTPS. Only the kind `http` speaks either, and shares them among host names with `tls`. */
const PORTS_OF_GATEWAYS = [HTTP_PORT, HTTPS_PORT];

/** What an ingress listens for, and what is done with a request before it comes to a path. */
export function faultsOfFront(ingress: WholeIngress): FieldError[] {
  return [
    ...faultsOfPort(ingress),
    ...faultsOfService(ingress),
    ...faultsOfTls(ingress),
    ...faultsOfClients(ingress),
    ...faultsOfMaintenance(ingress),
    ...faultsOfProxies(ingress),
    ...faultsOfIdentity(ingress),
    ...faultsOfCounting(ingress),
    ...faultsOfSignIn(ingress),
  ];
}

function faultsOfPort({ kind, port }: WholeIngress): FieldError[] {
  const fault = (detail: string) => [{ pointer: '/port', detail }];
  if (kind === 'http' || kind === 'tls') {
    return port === null ? [] : fault(`is for the kinds tcp and udp; one of kind ${kind} is known by its host name`);
  }
  if (port === null) return fault(`is needed: an ingress of kind ${kind} is known by its port`);
  if (kind === 'udp' || !PORTS_OF_GATEWAYS.includes(port)) return [];
  return fault(`${port} is where gateways listen for HTTP and HTTPS; use another port, or the kind http or tls`);
}

function faultsOfService({ kind, service, redirects }: WholeIngress): FieldError[] {
  if (service !== null) return [];
  const fault = (detail: string) => [{ pointer: '/service', detail }];
  if (kind !== 'http') return fault('is needed: the service that it leads to');
  if (redirects.some(({ path }) => path === '/')) return [];
  return fault('is needed, unless a redirect of "/" sends all elsewhere');
}

/** Where the gateway does not end TLS, it shows no certificate. */
function faultsOfTls({ kind, tls }: WholeIngress): FieldError[] {
  if (kind === 'http') return [];
  const errors: FieldError[] = [];
  if (tls.certificate !== 'none') {
    errors.push({ pointer: '/tls/certificate', detail: `must be none: gateways end no TLS for the kind ${kind}` });
  }
  if (tls.redirect) errors.push({ pointer: '/tls/redirect', detail: `must be false: only the kind http redirects` });
  return errors;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A DNS name or a SPIFFE id, exactly as certificates have it. Gateways refuse anything else, too. */
const CLIENT_NAME = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*|spiffe://[a-z0-9._-]{1,255}(?:/[A-Za-z0-9._-]+)+)$`);

function faultsOfClientNames(names: readonly string[]): FieldError[] {
  return names.flatMap((name, index) => {
    if (CLIENT_NAME.test(name)) return [];
    const detail = `"${name}" is neither a DNS name in lower case nor a SPIFFE id; there are no wildcards`;
    return [{ pointer: `/tls/client_names/${index}`, detail }];
  });
}

/** Where a certificate is asked for, there is no way around it. */
function faultsOfClients({ kind, tls }: WholeIngress): FieldError[] {
  const { certificate, redirect, clients, client_names } = tls;
  const fault = (field: string, detail: string) => [{ pointer: `/tls/${field}`, detail }];
  if (clients === 'none') {
    return client_names.length === 0 ? [] : fault('client_names', 'must be empty while clients is none');
  }
  if (kind !== 'http') return fault('clients', `must be none: gateways end no TLS for the kind ${kind}`);
  if (certificate === 'none') return fault('clients', 'must be none: without TLS no client shows a certificate');
  const names = faultsOfClientNames(client_names);
  if (clients !== 'required' || redirect) return names;
  return [
    ...names,
    ...fault('redirect', 'must be true where certificates are required: by plain HTTP no client shows one'),
  ];
}

function faultsOfMaintenance({ kind, maintenance }: WholeIngress): FieldError[] {
  if (maintenance === null) return [];
  if (kind !== 'http') {
    return [{ pointer: '/maintenance', detail: `must be null: gateways show no page to clients of the kind ${kind}` }];
  }
  return faultsOfNetworks('/maintenance/allow', maintenance.allow);
}

function faultsOfIdentity({ kind, mesh_identity }: WholeIngress): FieldError[] {
  if (kind === 'http' || !mesh_identity) return [];
  return [{ pointer: '/mesh_identity', detail: `must be false: gateways add no headers for the kind ${kind}` }];
}

function faultsOfCounting({ kind, counted }: WholeIngress): FieldError[] {
  if (kind === 'http' || !counted) return [];
  return [{ pointer: '/counted', detail: `must be false: gateways see no requests of the kind ${kind}` }];
}

/** There is no way around it, and the cookie of a session never crosses a network in the clear. */
function faultsOfSignIn({ kind, service, sign_in, tls, upstream, routes }: WholeIngress): FieldError[] {
  if (sign_in === null) return [];
  const fault = (detail: string) => [{ pointer: '/sign_in', detail }];
  if (kind !== 'http') return fault(`must be null: gateways read no requests of the kind ${kind}`);
  if (tls.certificate === 'none' || !tls.redirect) {
    return fault(
      'must be null unless all clients come by TLS: set `tls.certificate` to mesh and `tls.redirect` to true',
    );
  }
  const all = [...(service === null ? [] : [upstream]), ...routes.map((route) => route.upstream)];
  return all.some(({ protocol }) => protocol === 'grpc' || protocol === 'grpcs')
    ? fault('must be null where a path is for gRPC: its clients follow no redirect to a page')
    : [];
}

function faultsOfProxies({ kind, proxies }: WholeIngress): FieldError[] {
  if (proxies === null) return [];
  if (kind !== 'http') {
    return [{ pointer: '/proxies', detail: `must be null: gateways read no headers of the kind ${kind}` }];
  }
  const { networks, header } = proxies;
  const other = `"${header}" has no address of a client in it; X-Forwarded-For or X-Real-IP would`;
  return [
    ...(saysClientAddress(header) ? [] : [{ pointer: '/proxies/header', detail: other }]),
    ...(networks.length > 0
      ? faultsOfNetworks('/proxies/networks', networks)
      : [{ pointer: '/proxies/networks', detail: 'is empty; name the proxies, or set proxies to null' }]),
  ];
}
