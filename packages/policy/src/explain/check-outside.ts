import { kindOfAddress } from '@meshwork/addresses';
import { placeOf } from '../firewall/decide.ts';
import { type Cut, findCut, onePort, wholeFamily } from '../firewall/find-cut.ts';
import { hostRules } from '../firewall/host-rules.ts';
import { EVERY_PORT } from '../firewall/traffic.ts';
import type { NodeFacts } from './facts.ts';
import type { Wanted } from './wanted.ts';
import type { Finding, Way } from './way.ts';
import { capital, listed } from './wording.ts';

/** What goes past the mesh, to an address. */
interface PastMesh {
  readonly address: string;
  readonly family: 4 | 6;
  readonly wanted: Wanted;
}

/** The rules of a node that drop what it sends to an address by an interface that we do not know. Undefined: none does. */
export function cutOutside(node: NodeFacts, outgoing: PastMesh): Cut | undefined {
  const { underlay } = node;
  const cut = cutOf(node, 'out', outgoing);
  if (cut === undefined || isItself(underlay, outgoing.address)) return undefined;
  // Among the addresses of a host that reports none may be this one, and the loopback interface is never filtered.
  return underlay === null ? { ...cut, certain: false } : cut;
}

/** The same of what arrives at an address that it has itself. */
export function cutArriving(node: NodeFacts, arriving: PastMesh): Cut | undefined {
  return cutOf(node, 'in', arriving);
}

function cutOf(
  { firewall, interface: name, underlay }: NodeFacts,
  direction: 'in' | 'out',
  { address, family, wanted }: PastMesh,
): Cut | undefined {
  return findCut(hostRules(firewall, name), {
    traffic: {
      direction,
      protocol: wanted.protocol,
      ports: wanted.protocol === 'icmp' ? EVERY_PORT : onePort(wanted.port),
      from: wholeFamily(family),
      to: placeOf(address),
    },
    interfaces: underlay?.needs.interfaces,
    unknown: ['from'],
  });
}

function isItself(underlay: NodeFacts['underlay'], address: string): boolean {
  return kindOfAddress(address) === 'unusable' || underlay?.addresses.includes(address) === true;
}

/** Whether a host rule of the source drops it, whichever interface it leaves by. Undefined: that is not certain. */
export function checkOutside({ source, behind, family, wanted }: Way): Finding | undefined {
  if (behind === undefined) return undefined;
  const cut = cutOutside(source.node, { address: behind.address, family, wanted });
  return cut?.certain === true ? cutFinding(cut, source.name) : undefined;
}

export function cutFinding(cut: Cut, node: string): Finding {
  const clause = dropsOn(cut, node);
  return {
    check: 'firewall',
    outcome: cut.certain ? 'fail' : 'unknown',
    detail: `${capital(clause)}.`,
    clause,
    fix: [changeRules(cut, node)],
  };
}

/** `firewall rule r1 drops it on git-1`. */
function dropsOn({ rules, certain }: Cut, node: string): string {
  const [subject, verb] = rules.length === 1 ? ['rule', 'drops'] : ['rules', 'drop'];
  return `firewall ${subject} ${listed(rules)} ${certain ? verb : 'may drop'} it on ${node}`;
}

function changeRules({ rules }: Cut, node: string): string {
  const [subject, which] = rules.length === 1 ? ['rule', 'it'] : ['rules', 'them'];
  return `Change firewall ${subject} ${listed(rules)}, or put one before ${which} that accepts this on ${node}.`;
}
