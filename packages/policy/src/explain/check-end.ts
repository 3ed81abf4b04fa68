import { isSilent } from './facts.ts';
import { dataPlaneWords, doubtOf } from './freshness.ts';
import { type End, type Finding, isConcerned, type Way } from './way.ts';
import { capital, duration, wakeUp } from './wording.ts';

type Words = Omit<Finding, 'check'>;

/** Whether the node is a member, and online. A node that is not fresh never passes. */
export function checkEnd(way: Way, check: 'source' | 'destination', end: End): Finding {
  const { state } = end.node;
  const doubt = doubtOf(end.node);
  if (end.hidden) return { check, ...unseen(way, end, doubt) };
  const known = STATES[state](end, way);
  const found = known.outcome === 'pass' && doubt !== undefined ? doubtful(end, way, doubt) : known;
  // What does not go through the mesh needs no address in it.
  const needsSix = check === 'source' && way.family === 6 && way.target !== undefined;
  const hasAddress = !needsSix || end.node.address6 !== null;
  return { check, ...(hasAddress ? found : withoutAddress(end, found)) };
}

const STATES: Readonly<Record<End['node']['state'], (end: End, way: Way) => Words>> = {
  active: (end, way) => here(`${about(end, way)} is active, ${lastSeen(end)}.`),
  draining: (end, way) => here(`${about(end, way)} is draining and still takes part, ${lastSeen(end)}.`),
  stale: silent,
  unreachable: silent,
  joining: (end, way) => ({
    outcome: 'unknown',
    detail: `${about(end, way)} is enrolled, and has not sent a heartbeat yet.`,
    clause: `${end.name} has not sent a heartbeat yet`,
    fix: [
      `Start the agent on ${end.name}, and check with \`mesh agent status\` there that it reaches the coordinator.`,
    ],
  }),
  pending: (end, way) => ({
    outcome: 'fail',
    detail: `${about(end, way)} is pending approval, and has no peers until then.`,
    clause: `${end.name} is pending approval`,
    fix: [`Approve ${end.name}: mesh node approve ${end.name}`],
  }),
  quarantined: (end, way) => ({
    outcome: 'fail',
    detail: `${about(end, way)} is quarantined, and has no peers.`,
    clause: `${end.name} is quarantined`,
    fix: [`Release ${end.name} once it is safe: mesh node release ${end.name}`],
  }),
  removed: (end, way) => ({
    outcome: 'fail',
    detail: `${about(end, way)} was removed from the mesh.`,
    clause: `${end.name} was removed from the mesh`,
    fix: [`Enrol ${end.name} again, if it should be back.`],
  }),
};

function here(detail: string): Words {
  return { outcome: 'pass', detail, clause: '', fix: [] };
}

/** A hidden end is a member that a grant leads through. Its state and when it was last seen are not shown. */
function unseen(way: Way, end: End, doubt: string | undefined): Words {
  const there = `${capital(end.name)} forwards there`;
  if (!isSilent(end.node.state) && doubt === undefined) return here(`${there}, and is online.`);
  if (!isSilent(end.node.state)) {
    return {
      outcome: 'unknown',
      detail: `${there}, and did not answer when asked just now.`,
      clause: `${end.name} forwards there and did not answer when asked just now`,
      fix: [wakeUp(end)],
      moot: !isConcerned(way),
    };
  }
  return {
    outcome: 'unknown',
    detail: `${there}, and is offline: its present state is unknown.`,
    clause: `${end.name} forwards there and is offline, so its present state is unknown`,
    fix: [wakeUp(end)],
  };
}

/** Its heartbeats are in time, and yet it is not known how it is right now. */
function doubtful(end: End, way: Way, doubt: string): Words {
  return {
    outcome: 'unknown',
    detail: `${about(end, way)} ${doubt}.${dataPlaneWords(way, end)}`,
    clause: `${end.name} ${doubt}`,
    fix: [`Check the agent on ${end.name} and the network of its host, and try again.`],
    moot: !isConcerned(way),
  };
}

function silent(end: End, way: Way): Words {
  const { state } = end.node;
  const fix = [wakeUp(end)];
  const ago = lastSeen(end);
  if (way.engine.document.stale === 'keep') {
    return {
      outcome: 'unknown',
      detail: `${about(end, way)} is ${state}, ${ago}: its present state is unknown.${dataPlaneWords(way, end)}`,
      clause: `${end.name} was ${ago}, so its present state is unknown`,
      fix,
    };
  }
  return {
    outcome: 'fail',
    detail: `${about(end, way)} is ${state}, ${ago}: the policy makes its peers drop it.`,
    clause: `${end.name} was ${ago}, and the policy makes its peers drop it`,
    fix: [...fix, 'Set "stale": "keep" in the policy, if peers should keep offline nodes.'],
  };
}

/** It comes on top of anything else that is wrong with the end. */
function withoutAddress({ name }: End, found: Words): Words {
  const [clause, fix] = [`${name} has no IPv6 address in the mesh`, 'Use the IPv4 address instead.'];
  if (found.outcome === 'pass') return { outcome: 'fail', detail: `${clause}.`, clause, fix: [fix] };
  return { ...found, detail: `${found.detail} It has no IPv6 address.`, fix: found.fix.map((one) => `${one}\n${fix}`) };
}

function lastSeen({ node: { last_seen_s_ago } }: End): string {
  return last_seen_s_ago === null ? 'never seen' : `last seen ${duration(last_seen_s_ago)} ago`;
}

function about(end: End, { behind, target }: Way): string {
  if (behind === undefined || end !== target) return end.name;
  return behind.is_own
    ? `${end.name}, which has ${behind.address} itself,`
    : `${end.name}, which forwards to ${behind.network},`;
}
