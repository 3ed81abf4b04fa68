import type { Explanation } from './explanation.ts';
import { isSilent, type NodeFacts } from './facts.ts';
import { doubtOf } from './freshness.ts';
import { formatWanted, type Wanted } from './wanted.ts';

/** No mesh comes between a node and itself, so nothing of it can deny that; but the state of an offline node is not known. */
export function explainItself(node: NodeFacts, wanted: Wanted): Explanation {
  const { id, name, state } = node;
  const end = { id, name };
  const isMember = state === 'active' || state === 'draining';
  const doubted = isMember ? doubtOf(node) : undefined;
  const isHere = isMember && doubted === undefined;
  const said = `Both ends are ${name}: a node reaches itself without the mesh`;
  const failing = node.services.find(
    (one) => one.protocol === wanted.protocol && one.port === wanted.port && one.health === 'failing',
  );
  if (isHere && failing !== undefined) return failsOnItself(node, { said, service: failing.name, wanted });
  const reason = isHere
    ? `${said}.`
    : `${said}, but ${name} ${doubted ?? stateWords(node)}, so its present state is unknown.`;
  return {
    verdict: isHere ? 'allowed' : 'unknown',
    reason,
    from: end,
    to: end,
    port: formatWanted(wanted),
    grant: null,
    steps: [{ check: 'source', outcome: isHere ? 'pass' : 'unknown', detail: reason }],
    fix: isHere ? [] : [`Check ${name} itself.`],
    families: [],
    conditions: [],
  };
}

function stateWords({ state }: NodeFacts): string {
  return isSilent(state) ? `is ${state}` : `is ${state} and not part of the mesh`;
}

function failsOnItself(
  { id, name }: NodeFacts,
  { said, service, wanted }: { readonly said: string; readonly service: string; readonly wanted: Wanted },
): Explanation {
  const reason = `${said}, but reports that ${service} fails its health check.`;
  return {
    verdict: 'unknown',
    reason,
    from: { id, name },
    to: { id, name },
    port: formatWanted(wanted),
    grant: null,
    steps: [{ check: 'service', outcome: 'unknown', detail: reason }],
    fix: [`Check ${service} on ${name}.`],
    families: [],
    conditions: [],
  };
}
