import { hasHeardBoth } from './freshness.ts';
import { best, type Passage, passage, refusalsOf, relayPassage, relayUse, worst } from './underlay-flows.ts';
import { type End, type Finding, pass, type Way } from './way.ts';
import { capital, listed } from './wording.ts';

/**
 * Whether the host rules of both ends let pass what the mesh itself sends between them: WireGuard's packets, those to relays,
 * and what tells the coordinator how they are. Undefined: it is not known where the ends are.
 */
export function checkUnderlay(way: Way): Finding | undefined {
  const { source, target } = way;
  if (target === undefined || source.node.underlay === null || target.node.underlay === null) return undefined;
  const link = linkPassage(way, source, target);
  const found = ofLink(way, target, link);
  if (found !== undefined) return found;
  const muted = [source, target].flatMap((end) => mutedAgent(end) ?? []);
  const [first] = muted;
  if (first !== undefined) return first;
  return pass('underlay', `Host rules let WireGuard's packets pass between ${source.name} and ${target.name}.`);
}

/**
 * A link works if one end can open it to the other, because answers pass before any rule; and also if both may send and
 * neither may receive, because then each takes the packets of the other for answers, provided that both do send.
 */
function linkPassage(way: Way, { node: near }: End, { node: far }: End): Passage {
  const { link } = way;
  const here = { node: near, report: link.near, other: far };
  const there = { node: far, report: link.far, other: near };
  const [nearOut, nearIn] = [passage('out', here), passage('in', here)];
  const [farOut, farIn] = [passage('out', there), passage('in', there)];
  const atOnce = atMost(worst(nearOut, farOut));
  const direct = best(worst(nearOut, farIn), worst(farOut, nearIn), {
    ...atOnce,
    rules: [...atOnce.rules, ...nearIn.rules, ...farIn.rules],
  });
  const use = relayUse(way);
  if (use === 'none') return direct;
  const relayed = worst(relayPassage(near), relayPassage(far));
  return use === 'used' ? best(atMost(direct), relayed) : best(direct, atMost(relayed));
}

/** It may work, even if nothing is in its way. */
function atMost(passage: Passage): Passage {
  return passage.level === 'open' ? { ...passage, level: 'may' } : passage;
}

function ofLink(way: Way, target: End, { level, rules }: Passage): Finding | undefined {
  const { source } = way;
  const isHeard = hasHeardBoth(way);
  // An older agent does not look. What is only possible is then left to its handshakes, as it always was.
  const canHear = source.node.looked !== null && target.node.looked !== null;
  if (level === 'open' || (level === 'may' && (isHeard || !canHear))) return undefined;
  const verb = level === 'cut' ? (rules.length === 1 ? 'drops' : 'drop') : 'may drop';
  const dropping = `${rulesOn(way, target, rules)} ${verb} WireGuard's packets between ${source.name} and ${target.name}`;
  const clause = isHeard ? `${dropping}, and yet each end heard the other just now` : dropping;
  return {
    check: 'underlay',
    outcome: level === 'cut' && !isHeard ? 'fail' : 'unknown',
    detail: `${capital(clause)}.`,
    clause,
    fix: [fixOf(way, target, rules)],
  };
}

/** Those of an end that may not be seen are not named. */
function rulesOn({ source }: Way, target: End, rules: readonly string[]): string {
  const parts = [source, target].flatMap((end) => {
    const own = rules.filter((id) => end.node.firewall.some((rule) => rule.id === id));
    if (own.length === 0) return [];
    const words = `${own.length === 1 ? 'rule' : 'rules'} ${listed(own)}`;
    return [end.hidden ? `a rule of ${end.name}` : `${words} on ${end.name}`];
  });
  return `firewall ${listed(parts)}`;
}

function fixOf(way: Way, target: End, rules: readonly string[]): string {
  if (target.hidden) return 'Ask an operator to change the firewall rules so that they let WireGuard pass.';
  return `Change ${rulesOn(way, target, rules)}, so that WireGuard's packets pass.`;
}

/** An agent that its own rules keep from the coordinator cannot say how it is. Undefined: it can, or just did. */
function mutedAgent({ node, name, hidden }: End): Finding | undefined {
  if (node.looked?.answered === true) return undefined;
  const refusal = refusalsOf(node).find(
    ({ need, certainty }) => certainty === 'cuts' && (need === 'coordinator' || need === 'names'),
  );
  if (refusal === undefined) return undefined;
  const many = refusal.rules.length > 1;
  const who = hidden ? 'a firewall rule' : `firewall ${many ? 'rules' : 'rule'} ${listed(refusal.rules)}`;
  const clause = `${who} ${many && !hidden ? 'keep' : 'keeps'} the agent on ${name} from the coordinator`;
  return {
    check: 'underlay',
    outcome: 'unknown',
    detail: `${capital(clause)}, so its present state is unknown.`,
    clause,
    fix: [
      hidden
        ? 'Ask an operator to change the firewall rule.'
        : `Change firewall ${many ? 'rules' : 'rule'} ${listed(refusal.rules)}, so that the agent on ${name} reaches the coordinator.`,
    ],
  };
}
