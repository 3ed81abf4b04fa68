/** What is said of ingresses in more than one place. */
import type { Ingress, Upstream } from '@meshwork/contract';
import { plural } from '../../ui/plural.ts';

/** Ours: heartbeats bring connections and the state of upstreams without an event. */
export const LOOK_EVERY_MS = 10_000;

export type Target = Ingress['targets'][number];
export type Gateway = Ingress['assigned_to'][number];
type Found = NonNullable<Ingress['served_by'][number]['upstreams']>[number];

/** What people enter in a browser. A host name can be nothing but letters, digits, dashes and dots. */
export function addressOf({ hostname, tls }: Pick<Ingress, 'hostname' | 'tls'>): string {
  return `${tls.certificate === 'none' ? 'http' : 'https'}://${hostname}`;
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

export function checkWords({ kind, path, status, body, interval_s }: Upstream['check']): string {
  if (kind === 'none') return 'Not checked';
  if (kind === 'tcp') return `TCP every ${interval_s} s`;
  return `GET ${path} every ${interval_s} s, expects ${status}${body === null ? '' : ` with “${body}”`}`;
}

export function tlsWords({ certificate, redirect }: Ingress['tls']): string {
  if (certificate === 'none') return 'Off, plain HTTP only';
  return `Certificate by the mesh CA, plain HTTP is ${redirect ? 'redirected' : 'served too'}`;
}

interface Notice {
  readonly tone: 'red' | 'blue' | 'yellow';
  readonly title: string;
  readonly text: string;
}

/** What a person should know first. Null: all is well. */
export function noticeOf(ingress: Ingress): Notice | null {
  const { state, gateways, targets } = ingress;
  if (state === 'draining') return { tone: 'blue', title: 'Draining', text: drainWords(ingress) };
  if (state === 'unassigned') {
    const text = `No active node with gateway support matches ${gateways.join(', ')}. Enrol one, or edit the gateways.`;
    return { tone: 'red', title: 'No node can be its gateway', text };
  }
  if (state === 'assigned') {
    const text = 'Its gateways are chosen, and none of them has proven that it serves it. The reasons are below.';
    return { tone: 'red', title: 'No gateway serves it', text };
  }
  const dead = deadPaths(ingress);
  if (dead.length > 0) {
    const [first] = dead;
    const why = targets.some(({ service }) => service === first?.service)
      ? 'every target is down or out of reach'
      : 'no node inside its scope reports the service';
    const text = `${dead.map(({ path, service }) => `${path} (${service})`).join(', ')}: ${why}. Requests get an error.`;
    return { tone: 'red', title: 'No target takes requests', text };
  }
  const troubled = targets.filter((target) => !isUp(ingress, target)).length;
  if (troubled === 0) return null;
  const text = `${troubled} of ${plural(targets.length, 'target')} ${troubled === 1 ? 'gets' : 'get'} no requests.`;
  return { tone: 'yellow', title: 'Not all targets are up', text };
}

/** Paths whose service has no target that could answer. One that no gateway has reported yet may. */
function deadPaths(ingress: Ingress) {
  const isDead = (target: Target) => {
    const found = foundOf(ingress, target);
    return found.length === 0 ? target.problem !== null : found.every(({ state }) => state === 'down');
  };
  return [{ path: '/', service: ingress.service }, ...ingress.routes].filter(({ service }) =>
    ingress.targets.filter((target) => target.service === service).every(isDead),
  );
}

/** How far draining is. */
function drainWords(ingress: Ingress): string {
  const left = connectionsOf(ingress);
  if (left === null) return 'It takes no new connections. Its gateways have not reported how many are open.';
  if (left === 0) return 'It takes no new connections, and none is open any more. It can be deleted.';
  return `It takes no new connections. ${plural(left, 'connection')} still open.`;
}

/** What deleting it does to people who use it. */
export function lossWords(ingress: Ingress): string {
  const open = connectionsOf(ingress) ?? 0;
  const ends = open === 0 ? '' : ` ${plural(open, 'open connection')} ${open === 1 ? 'ends' : 'end'}.`;
  const drain = open > 0 && !ingress.draining ? ' Drain it first to let them finish.' : '';
  return `${ingress.hostname} stops answering, its certificates are revoked, and its host name becomes free.${ends}${drain}`;
}

/** The question whose answer says why gateways do not reach a target, and what would help. Null: no gateway is chosen. */
export function questionOf({ assigned_to }: Pick<Ingress, 'assigned_to'>, { name, port, problem }: Target) {
  const named = assigned_to.find((gateway) => problem?.includes(gateway.name));
  const from = (named ?? assigned_to[0])?.name;
  return from === undefined ? null : { from, to: name, port: `tcp:${port}` };
}
