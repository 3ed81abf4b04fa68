/** What is said of ingresses in more than one place. */
import type { Ingress, Upstream } from '@meshwork/contract';
import { durationText } from '../../ui/durations.ts';
import { plural } from '../../ui/plural.ts';
import { hasPort, KIND_WORDS } from './ingress-kinds.ts';

/** Ours: heartbeats bring connections and the state of upstreams without an event. */
export const LOOK_EVERY_MS = 10_000;

export type Target = Ingress['targets'][number];
export type Gateway = Ingress['assigned_to'][number];
type Found = NonNullable<Ingress['served_by'][number]['upstreams']>[number];

/** Where everything goes that no path is for: a service, or elsewhere. */
export function leadWords({ service, redirects }: Pick<Ingress, 'service' | 'redirects'>): string {
  const elsewhere = redirects.find(({ path }) => path === '/')?.to;
  if (elsewhere !== undefined) return `Redirects to ${elsewhere}`;
  return service ?? 'None';
}

/** Whether any path of it does. One that only redirects has no targets, and needs none. */
export function leadsToService({ service, routes }: Pick<Ingress, 'service' | 'routes'>): boolean {
  return service !== null || routes.length > 0;
}

/** What each gateway that reports upstreams found of a target. */
export function foundOf(
  { served_by }: Pick<Ingress, 'served_by'>,
  { service, node }: Pick<Target, 'service' | 'node'>,
): readonly Found[] {
  return served_by.flatMap(({ upstreams }) =>
    (upstreams ?? []).filter((one) => one.service === service && one.node === node),
  );
}

/** One gateway that found that it answers is proof, though others may not reach it. */
export function isUp(ingress: Pick<Ingress, 'served_by'>, target: Target): boolean {
  return foundOf(ingress, target).some(({ state }) => state === 'up');
}

export function targetWords(ingress: Pick<Ingress, 'served_by' | 'targets'>): string {
  const { targets } = ingress;
  if (targets.length === 0) return 'None';
  return `${targets.filter((target) => isUp(ingress, target)).length} of ${targets.length} up`;
}

/** Over all gateways. Null: none has reported any. */
export function connectionsOf({ served_by }: Pick<Ingress, 'served_by'>): number | null {
  const reported = served_by.flatMap(({ connections }) => (connections === null ? [] : [connections]));
  return reported.length === 0 ? null : reported.reduce((sum, one) => sum + one, 0);
}

const BALANCES: Readonly<Record<string, string>> = {
  round_robin: 'Round robin',
  least_connections: 'Least connections',
  'hash:address': 'By client address',
  'hash:path': 'By path',
};

export function balanceWords(balance: Upstream['balance']): string {
  const [, kind, name] = /^hash:(header|cookie):(.+)$/.exec(balance) ?? [];
  return kind === undefined ? (BALANCES[balance] ?? balance) : `By ${kind} ${name}`;
}

export const PROTOCOL_WORDS: Readonly<Record<Upstream['protocol'], string>> = {
  http: 'HTTP',
  https: 'HTTPS',
  grpc: 'gRPC',
  grpcs: 'gRPC with TLS',
  tcp: 'TCP',
  udp: 'UDP',
};

export function checkWords({ kind, path, status, body, grpc_service, interval_s }: Upstream['check']): string {
  if (kind === 'none') return 'Not checked';
  if (kind === 'tcp') return `TCP every ${interval_s} s`;
  if (kind === 'grpc') return `gRPC health${grpc_service === null ? '' : ` of ${grpc_service}`} every ${interval_s} s`;
  return `GET ${path} every ${interval_s} s, expects ${status}${body === null ? '' : ` with “${body}”`}`;
}

/** Null: it is not of a kind that TLS means something to. */
export function tlsWords({ kind, tls: { certificate, redirect } }: Pick<Ingress, 'kind' | 'tls'>): string | null {
  if (kind === 'tls') return 'Passed through to the service, which ends it';
  if (kind !== 'http') return null;
  if (certificate === 'none') return 'Off, plain HTTP only';
  const whose =
    certificate === 'mesh'
      ? 'Certificate by the mesh CA'
      : certificate.startsWith('outside_')
        ? 'Certificate of an outside authority'
        : 'Given certificate';
  return `${whose}, plain HTTP is ${redirect ? 'redirected' : 'served too'}`;
}

export const CLIENTS_WORDS: Readonly<Record<Ingress['tls']['clients'], string>> = {
  none: 'Not asked for',
  optional: 'Optional',
  required: 'Required',
};

/** Null: clients are not asked for certificates. */
export function clientsWords({ clients, client_names }: Ingress['tls']): string | null {
  if (clients === 'none') return null;
  const who = client_names.length === 0 ? 'by the mesh CA' : `for ${client_names.join(', ')}`;
  return `${CLIENTS_WORDS[clients]}, ${who}`;
}

export function proxiesWords({ networks, header }: NonNullable<Ingress['proxies']>): string {
  return `${header} from ${networks.join(', ')}`;
}

/** Who may enter, in words. */
export function signInWords({ groups, people, session_s }: NonNullable<Ingress['sign_in']>): string {
  const who = [
    ...(groups.length === 0 ? [] : [`Members of ${groups.join(', ')}`]),
    ...(people.length === 0 ? [] : [people.join(', ')]),
  ];
  return `${who.join(', and ') || 'Everyone inside its scope'}, for ${durationText(session_s)}`;
}

/** What needs no sign-in. */
export function openWords({ nodes, open }: NonNullable<Ingress['sign_in']>): string {
  return [...(nodes ? ['Nodes of the mesh'] : []), ...open].join(', ') || 'Nothing';
}

/** What deleting it does to people who use it. */
export function lossWords(ingress: Ingress): string {
  const open = connectionsOf(ingress) ?? 0;
  const ends = open === 0 ? '' : ` ${plural(open, 'open connection')} ${open === 1 ? 'ends' : 'end'}.`;
  const drain = open > 0 && !ingress.draining ? ' Drain it first to let them finish.' : '';
  const { kind, hostname, port } = ingress;
  const loss = hasPort(kind)
    ? `${KIND_WORDS[kind]} port ${port} of its gateways stops answering, and becomes free.`
    : kind === 'tls'
      ? `${hostname} stops answering, and its host name becomes free.`
      : `${hostname} stops answering, its certificates by the mesh CA are revoked, and its host name becomes free.`;
  return `${loss}${ends}${drain}`;
}

/** The question whose answer says why gateways do not reach a target, and what would help. Null: no gateway is chosen. */
export function questionOf(
  { kind, assigned_to }: Pick<Ingress, 'kind' | 'assigned_to'>,
  { name, port, problem }: Target,
) {
  const named = assigned_to.find((gateway) => problem?.includes(gateway.name));
  const from = (named ?? assigned_to[0])?.name;
  return from === undefined ? null : { from, to: name, port: `${kind === 'udp' ? 'udp' : 'tcp'}:${port}` };
}
