import { lagOf } from './check-applied.ts';
import { checkHostItself } from './check-host.ts';
import type { Explanation } from './explanation.ts';
import { isSilent, type NodeFacts } from './facts.ts';
import { doubtOf } from './freshness.ts';
import { formatWanted, type Wanted } from './wanted.ts';
import type { End, Finding } from './way.ts';

type Doubt = Pick<Finding, 'check' | 'clause' | 'fix'>;

/** No mesh comes between a node and itself, so nothing of it can deny that; but the state of an offline node is not known. */
export function explainItself(node: NodeFacts, wanted: Wanted): Explanation {
  const end = { id: node.id, name: node.name };
  const said = `Both ends are ${node.name}: a node reaches itself without the mesh`;
  const itself = { node, name: node.name, hidden: false };
  const doubt = absence(node) ?? addressless(itself) ?? failingService(node, wanted) ?? checkHostItself(itself, wanted);
  const reason = doubt === undefined ? `${said}.` : `${said}, but ${doubt.clause}.`;
  return {
    verdict: doubt === undefined ? 'allowed' : 'unknown',
    reason,
    from: end,
    to: end,
    port: formatWanted(wanted),
    grant: null,
    steps: [{ check: doubt?.check ?? 'source', outcome: doubt === undefined ? 'pass' : 'unknown', detail: reason }],
    fix: doubt?.fix ?? [],
    families: [],
    conditions: [],
  };
}

/** Undefined: it is a member, and known to be there. */
function absence(node: NodeFacts): Doubt | undefined {
  const { state, name } = node;
  const isMember = state === 'active' || state === 'draining';
  const words = isMember ? doubtOf(node) : `is ${state}${isSilent(state) ? '' : ' and not part of the mesh'}`;
  if (words === undefined) return undefined;
  return {
    check: 'source',
    clause: `${name} ${words}, so its present state is unknown`,
    fix: [`Check ${name} itself.`],
  };
}

/** Its host has the addresses of the mesh once its agent has put them there. Undefined: it has. */
function addressless(itself: End): Doubt | undefined {
  const lag = lagOf(itself, ['self']);
  return lag && { check: 'applied', clause: lag.clause, fix: [lag.fix] };
}

function failingService({ name, services }: NodeFacts, { protocol, port }: Wanted): Doubt | undefined {
  const failing = services.find((one) => one.protocol === protocol && one.port === port && one.health === 'failing');
  if (failing === undefined) return undefined;
  return {
    check: 'service',
    clause: `reports that ${failing.name} fails its health check`,
    fix: [`Check ${failing.name} on ${name}.`],
  };
}
