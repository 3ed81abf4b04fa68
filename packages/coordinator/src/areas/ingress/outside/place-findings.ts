/** What came of a try at an address that DNS leads to. */
import { kindOfAddress } from '@meshwork/addresses';
import type { CheckedPlace, OutsideFinding } from '@meshwork/contract';
import { foreign } from './dns-findings.ts';
import { finding, placeWords } from './finding.ts';
import {
  type GatewayFacts,
  isMain,
  type OutsideFacts,
  type ReadPlace,
  recordsToMake,
  reporting,
} from './outside-facts.ts';

/** At an address of DNS. */
export function ledThere(facts: OutsideFacts, place: ReadPlace): readonly OutsideFinding[] {
  const { address, port, outcome, by, status } = place;
  const level = isMain(facts, place) ? 'problem' : 'notice';
  const at = { address, port };
  const owner = reporting(facts, address);
  const where = placeWords(place);
  if (outcome === 'forbidden') {
    if (!isMain(facts, place)) return [];
    const why = kindOfAddress(address) === 'private' ? 'only hosts nearby reach it' : 'no one outside can reach it';
    const summary = `DNS says ${address}, which is not public: ${why}. It was not tried.`;
    return [finding('private_address', 'problem', summary, recordsToMake(facts), { address })];
  }
  if (by !== undefined) return [served(place, by, owner), ...nearby(facts, place)];
  if (outcome === 'connected') {
    const summary = `${where} takes connections${owner === undefined ? '' : ` at gateway ${owner.name}`}. What answers there cannot be proven: the service speaks for itself.`;
    const known = finding('connects', 'good', summary, null, { ...at, gateway: owner?.name });
    return owner === undefined ? [known, foreign(facts, address)] : [known];
  }
  const leads =
    owner === undefined ? 'DNS leads there, and no gateway reports this address' : `It is gateway ${owner.name}`;
  const about = { ...at, gateway: owner?.name };
  if (outcome === 'refused' || outcome === 'timed_out' || outcome === 'unreachable') {
    const summary = `${where} does not answer from ${facts.checker}: ${unreachedWords(place)}. ${leads}.`;
    return [finding('unreachable', level, summary, openPort(place, owner), about)];
  }
  if (outcome === 'no_tls') {
    const summary = `${where} takes connections, and TLS fails: ${place.detail ?? 'the handshake was refused'}. ${leads}.`;
    const remedy =
      owner === undefined
        ? `Another server may be there. ${recordsToMake(facts)}`
        : `\`mesh ingress show\` says whether ${owner.name} has the certificate.`;
    return [finding('no_tls', level, summary, remedy, about)];
  }
  if (owner !== undefined && isUnproven(facts, place)) {
    const summary = `${where} answers, and it is not known whether that is ${owner.name}: ${owner.unproven}.`;
    return [
      finding(
        'no_proof',
        'notice',
        summary,
        `Upgrade the agent of ${owner.name}, or see why it does not answer.`,
        about,
      ),
    ];
  }
  const answered = status === undefined ? 'what is no HTTP' : `status ${status}`;
  const summary = `Another server answers at ${where} (${answered}): no gateway of this ingress proves itself there. ${leads}.`;
  const remedy =
    owner === undefined
      ? recordsToMake(facts)
      : `See which program has port ${port} on ${owner.name}, and where the router or load balancer in front of it leads.`;
  return [finding('other_server', level, summary, remedy, about)];
}

/** A private address that a gateway reports is tried, and other people may not be as near as the node that did. */
function nearby(facts: OutsideFacts, place: ReadPlace): readonly OutsideFinding[] {
  if (!isMain(facts, place) || kindOfAddress(place.address) !== 'private') return [];
  const summary = `${place.address} is a private address: ${facts.checker} reaches it, and hosts that are not nearby do not.`;
  return [finding('private_address', 'notice', summary, recordsToMake(facts), { address: place.address })];
}

/** What answers at the address of a gateway that shows no proof may be the gateway. */
export function isUnproven(facts: OutsideFacts, { address, outcome, by }: ReadPlace): boolean {
  return outcome === 'answered' && by === undefined && (reporting(facts, address)?.unproven ?? null) !== null;
}

function served(place: ReadPlace, by: GatewayFacts, owner: GatewayFacts | undefined): OutsideFinding {
  const generation = place.generation === undefined ? '' : `, generation ${place.generation.slice(0, 8)}`;
  const about = { address: place.address, port: place.port, gateway: by.name };
  if (owner === by) {
    return finding('served', 'good', `${placeWords(place)} is gateway ${by.name}${generation}.`, null, about);
  }
  const what = owner === undefined ? 'is no address of a gateway' : `is reported by ${owner.name}`;
  const summary = `${placeWords(place)} ${what}, and leads to gateway ${by.name}${generation}: a load balancer or a router passes it on.`;
  return finding('forwarded', 'good', summary, null, about);
}

export function unreachedWords({ outcome, detail }: CheckedPlace): string {
  if (outcome === 'refused') return 'the connection is refused';
  if (outcome === 'timed_out') return 'it timed out';
  return detail ?? 'there is no way there';
}

export function openPort({ port, outcome, address }: CheckedPlace, owner: GatewayFacts | undefined): string {
  if (owner === undefined) {
    return `Remove the record ${address}, or have the load balancer or router there pass port ${port} on to a gateway.`;
  }
  if (outcome === 'refused')
    return `See that nginx listens on port ${port} of ${owner.name}, and that the router in front of it passes the port on.`;
  return `Let port ${port} in at the firewall of ${owner.name} and of its provider, and have the router in front of it pass the port on.`;
}
