/** What stands on top of the page of an ingress: what is wrong, what to do about it, and what is switched on for a while. */
import type { Ingress } from '@meshwork/contract';
import { durationText } from '../../ui/durations.ts';
import { plural } from '../../ui/plural.ts';
import { hasPort } from './ingress-kinds.ts';
import { connectionsOf, foundOf, isUp, type Target } from './ingress-words.ts';

interface Notice {
  readonly tone: 'red' | 'blue' | 'yellow';
  readonly title: string;
  readonly text: string;
}

/** What a person should know, the worst first. Empty: all is well. */
export function noticesOf(ingress: Ingress): readonly Notice[] {
  return [stateNotice(ingress), gatewaysNotice(ingress), maintenanceNotice(ingress)].filter((one) => one !== null);
}

function stateNotice(ingress: Ingress): Notice | null {
  const { state, kind, gateways, targets, problem } = ingress;
  if (state === 'draining') return { tone: 'blue', title: 'Draining', text: drainWords(ingress) };
  if (state === 'unassigned') {
    const why = problem ?? `No active node with gateway support matches ${gateways.join(', ')}.`;
    const text = `${sentence(why)} ${helpWith(kind, 'edit the gateways')}`;
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
    const named = dead.map(({ path, service }) => (kind === 'http' ? `${path} (${service})` : service)).join(', ');
    const text = `${named}: ${why}. ${kind === 'http' ? 'Requests get an error' : 'Connections are closed'}.`;
    return { tone: 'red', title: `No target takes ${trafficOf(kind)}`, text };
  }
  const troubled = targets.filter((target) => !isUp(ingress, target)).length;
  if (troubled === 0) return null;
  const text = `${troubled} of ${plural(targets.length, 'target')} ${troubled === 1 ? 'gets' : 'get'} no ${trafficOf(kind)}.`;
  return { tone: 'yellow', title: 'Not all targets are up', text };
}

/** Paths whose service has no target that could answer. One that no gateway has reported yet may. */
function deadPaths(ingress: Ingress) {
  const isDead = (target: Target) => {
    const found = foundOf(ingress, target);
    return found.length === 0 ? target.problem !== null : found.every(({ state }) => state === 'down');
  };
  return [{ path: '/', service: ingress.service }, ...ingress.routes].filter(
    ({ service }) => service !== null && ingress.targets.filter((target) => target.service === service).every(isDead),
  );
}

/** It has gateways, and fewer than it should. */
function gatewaysNotice({ state, problem, kind }: Ingress): Notice | null {
  if (problem === null || state === 'unassigned') return null;
  const text = `${sentence(problem)} ${helpWith(kind, 'lower the replicas')}`;
  return { tone: 'yellow', title: 'Not enough gateways', text };
}

function helpWith(kind: Ingress['kind'], or: string): string {
  return `Enrol or tag another node${hasPort(kind) ? ', choose another port' : ''}, or ${or}.`;
}

function maintenanceNotice({ maintenance }: Ingress): Notice | null {
  if (maintenance === null) return null;
  const { message, retry_after_s, allow } = maintenance;
  const pass = allow.length === 0 ? '' : ` Clients from ${allow.join(', ')} pass as usual.`;
  const retry = `Programs are asked to try again after ${durationText(retry_after_s)}.`;
  return {
    tone: 'yellow',
    title: 'In maintenance',
    text: `Requests get a page with status 503: “${message}” ${retry}${pass}`,
  };
}

/** What comes in. */
function trafficOf(kind: Ingress['kind']): string {
  return kind === 'http' ? 'requests' : 'connections';
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** How far draining is. */
function drainWords(ingress: Ingress): string {
  const { drain } = ingress;
  const cut = drain === null || drain.cut === 0 ? '' : ` ${plural(drain.cut, 'connection')} cut at the deadline.`;
  if (drain !== null && drain.drained_at !== null) {
    return `It takes no new connections, and its gateways have proven that none is open any more.${cut === '' ? ' All ended by themselves.' : cut} It can be deleted.`;
  }
  const until = drain === null || drain.deadline === null ? '' : ` What is open is ended at ${drain.deadline}.`;
  return `${leftWords(ingress)}${until}${cut}`;
}

function leftWords(ingress: Ingress): string {
  const left = connectionsOf(ingress);
  if (left === null) return 'It takes no new connections. Its gateways have not reported how many are open.';
  if (left === 0) return 'It takes no new connections, and none is open any more. It can be deleted.';
  return `It takes no new connections. ${plural(left, 'connection')} still open.`;
}
