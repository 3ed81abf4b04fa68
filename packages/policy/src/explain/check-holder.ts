import { lagOf } from './check-applied.ts';
import { checkHostArriving } from './check-host.ts';
import { cutArriving, cutFinding } from './check-outside.ts';
import { isSilent } from './facts.ts';
import { doubtOf } from './freshness.ts';
import { beyond, type Finding, type Way } from './way.ts';
import { capital, duration, wakeUp } from './wording.ts';

/**
 * The node that has the address behind the mesh, where one is known: packets arrive there by another interface, so the mesh does not
 * decide what becomes of them, and what is known to be in their way there makes the answer uncertain. Undefined: nothing is.
 */
export function checkHolder(way: Way): Finding | undefined {
  const { family, wanted, target } = way;
  const { holder: node, address } = beyond(way) ?? {};
  if (node === undefined || address === undefined || node.id === target?.node.id) return undefined;
  const end = { node, name: node.name, hidden: false };
  const seen = node.last_seen_s_ago === null ? 'was never seen' : `was last seen ${duration(node.last_seen_s_ago)} ago`;
  const absent = isSilent(node.state) ? seen : doubtOf(node);
  const holder = `the node that has ${address}`;
  if (absent !== undefined) return uncertain(`${holder}, ${node.name}, ${absent}`, [wakeUp(end)]);
  const lag = lagOf(end, ['firewall']);
  if (lag !== undefined) return uncertain(`${holder} is behind: ${lag.clause}`, [lag.fix]);
  const cut = cutArriving(node, { address, family, wanted });
  if (cut === undefined) return checkHostArriving(end, address, wanted);
  const { clause, fix } = cutFinding(cut, node.name);
  return uncertain(`${clause}, which has ${address}`, fix);
}

function uncertain(clause: string, fix: readonly string[]): Finding {
  return { check: 'host', outcome: 'unknown', detail: `${capital(clause)}.`, clause, fix };
}
