import { isSilent } from './facts.ts';
import { doubtOf } from './freshness.ts';
import { type AskedName, type Finding, pass, type Way } from './way.ts';
import { listedUpTo } from './wording.ts';

const HOSTS_FILE = '/etc/hosts';
/** Ours: addresses of a service that many nodes offer. */
const NAMED = 4;

/**
 * How the name in the question resolves on the source. Packets go by address, so it decides nothing: where it does not resolve, programs
 * that are given the name fail. Undefined: the question has no name, or the agent of the source does not report how names resolve there.
 */
export function checkName(way: Way): Finding | undefined {
  const { source, name } = way;
  const { names } = source.node;
  if (name === undefined || names === undefined) return undefined;
  const fault = faultOf(way, name);
  if (fault !== undefined) {
    const detail = `On ${source.name}, ${name.name} ${fault}. Packets are not affected.`;
    return { check: 'name', outcome: 'note', detail, clause: '', fix: [] };
  }
  const { resolver, problem } = names;
  const why = problem === undefined ? '' : `: ${problem}`;
  const leads = `${name.name} leads to ${listedUpTo(name.addresses, NAMED)}`;
  return pass('name', `On ${source.name}, ${leads}, by ${resolver}${why}.${unseen(way, name)}`);
}

/** Why programs on the source do not find it. Undefined: they do. */
function faultOf({ source, target }: Way, { kind, addresses }: AskedName): string | undefined {
  const { names, state } = source.node;
  if (addresses.length === 0) {
    return kind === 'node'
      ? `does not resolve: a node knows the names of its peers, and ${target?.name} is none`
      : 'does not resolve: no peer offers the service without a failing check';
  }
  if (names?.resolver !== HOSTS_FILE) {
    const isGone = isSilent(state) || doubtOf(source.node) !== undefined;
    return isGone ? 'may not resolve: its agent answers for names, and is not known to run' : undefined;
  }
  if (kind === 'node') return undefined;
  const why = names.problem === undefined ? '' : ` (${names.problem})`;
  return `does not resolve: names are in ${HOSTS_FILE} there, which has only those of nodes${why}`;
}

function unseen({ whole_policy }: Way, { kind }: AskedName): string {
  return kind === 'service' && !whole_policy ? ' Nodes that you may not see are not counted.' : '';
}
