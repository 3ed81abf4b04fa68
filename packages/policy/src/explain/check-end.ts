import { isSilent } from './facts.ts';
import type { End, Finding, Way } from './way.ts';
import { capital, duration, wakeUp } from './wording.ts';

type Words = Omit<Finding, 'check'>;

/** Whether the node is there at all, and heard from. A node that is not fresh never passes. */
export function checkEnd(way: Way, check: 'source' | 'destination', end: End): Finding {
  const { state } = end.node;
  if (end.hidden) return { check, ...unseen(end) };
  const found = STATES[state](end, way);
  const hasAddress = check === 'destination' || way.family === 4 || end.node.address6 !== null;
  return { check, ...(hasAddress || found.outcome !== 'pass' ? found : withoutAddress(end)) };
}

const STATES: Readonly<Record<End['node']['state'], (end: End, way: Way) => Words>> = {
  active: (end, way) => here(`${about(end, way)} is active, ${heard(end)}.`),
  draining: (end, way) => here(`${about(end, way)} is draining and still takes part, ${heard(end)}.`),
  stale: silent,
  unreachable: silent,
  joining: (end, way) => ({
    outcome: 'unknown',
    detail: `${about(end, way)} was let in, and has not sent a heartbeat yet.`,
    clause: `${end.name} has not sent a heartbeat yet`,
    fix: [
      `Start the agent on ${end.name}, and see with \`mesh agent status\` there whether it reaches the coordinator.`,
    ],
  }),
  pending: (end, way) => ({
    outcome: 'fail',
    detail: `${about(end, way)} waits to be approved, and has no peers until then.`,
    clause: `${end.name} waits to be approved`,
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

/** Who may not be seen is a member through whom a grant leads. Its state and when it was heard are not told. */
function unseen(end: End): Words {
  const there = `${capital(end.name)} forwards there`;
  if (!isSilent(end.node.state)) return here(`${there}, and is heard from.`);
  return {
    outcome: 'unknown',
    detail: `${there}, and is not heard from: nobody can say what holds there now.`,
    clause: `${end.name} forwards there and is not heard from, so nobody can say what holds there now`,
    fix: [wakeUp(end)],
  };
}

function silent(end: End, way: Way): Words {
  const { state } = end.node;
  const fix = [wakeUp(end)];
  const ago = heard(end);
  if (way.engine.document.stale === 'keep') {
    return {
      outcome: 'unknown',
      detail: `${about(end, way)} is ${state}, ${ago}: nobody can say what holds there now.`,
      clause: `${end.name} was ${ago}, so nobody can say what holds there now`,
      fix,
    };
  }
  return {
    outcome: 'fail',
    detail: `${about(end, way)} is ${state}, ${ago}: the policy has its peers drop it.`,
    clause: `${end.name} was ${ago}, and the policy has its peers drop it`,
    fix: [...fix, 'Write "stale": "keep" in the policy, if peers should keep silent nodes.'],
  };
}

function withoutAddress({ name }: End): Words {
  return {
    outcome: 'fail',
    detail: `${name} has no IPv6 address in the mesh.`,
    clause: `${name} has no IPv6 address in the mesh`,
    fix: ['Ask for the IPv4 address instead.'],
  };
}

function heard({ node: { heard_s_ago, state } }: End): string {
  if (heard_s_ago === null) return 'never heard';
  const last = state === 'stale' || state === 'unreachable' ? 'last heard' : 'heard';
  return `${last} ${duration(heard_s_ago)} ago`;
}

function about(end: End, { behind, target }: Way): string {
  if (behind === undefined || end !== target) return end.name;
  return behind.is_own
    ? `${end.name}, which has ${behind.address} itself,`
    : `${end.name}, which forwards to ${behind.network},`;
}
