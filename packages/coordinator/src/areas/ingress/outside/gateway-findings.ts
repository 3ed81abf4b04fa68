/** What came of tries at the addresses that gateways report, and which gateways people do not get to. */
import type { OutsideFinding } from '@meshwork/contract';
import { finding, placeWords } from './finding.ts';
import { isMain, type OutsideFacts, type ReadPlace, reporting } from './outside-facts.ts';
import { openPort, unreachedWords } from './place-findings.ts';

/** At a public address of a gateway that DNS does not name. Where DNS leads through something else, that is as it should be. */
export function besideDns(facts: OutsideFacts, place: ReadPlace, all: readonly ReadPlace[]): readonly OutsideFinding[] {
  const owner = reporting(facts, place.address);
  if (owner === undefined || owner.draining || !isMain(facts, place)) return [];
  const isForwarded = all.some(
    ({ in_dns, by, address }) => in_dns && by !== undefined && reporting(facts, address) !== by,
  );
  if (isForwarded) return [];
  const about = { address: place.address, port: place.port, gateway: owner.name };
  if (place.by === owner || place.outcome === 'connected') {
    const summary = `${owner.name} answers at ${placeWords(place)}, and DNS does not lead there.`;
    return [finding('not_in_dns', 'notice', summary, `Make a record for it: ${place.address}.`, about)];
  }
  if (place.outcome === 'answered') return [];
  const summary = `${owner.name} is not reached at ${placeWords(place)}: ${unreachedWords(place)}. DNS does not lead there.`;
  return [finding('not_reached', 'notice', summary, openPort(place, owner), about)];
}

/** Gateways that no address led to. */
export function gatewayFindings(facts: OutsideFacts, all: readonly ReadPlace[]): readonly OutsideFinding[] {
  if (facts.ingress.kind !== 'http') return [];
  const reached = new Set(all.flatMap(({ by, in_dns }) => (in_dns && by !== undefined ? [by.name] : [])));
  return facts.gateways.flatMap((gateway) => {
    const { name, problem, unproven, addresses } = gateway;
    if (gateway.draining || reached.has(name)) return [];
    const isSaid = all.some(({ address }) => addresses.includes(address));
    if (problem !== null) {
      const summary = `${name} does not serve it: ${problem}`;
      return [finding('not_reached', 'notice', summary, '`mesh ingress show` says more.', { gateway: name })];
    }
    if (isSaid) return [];
    if (unproven !== null) {
      const summary = `${name} shows no proof: ${unproven}.`;
      return [
        finding('no_proof', 'notice', summary, `Upgrade the agent of ${name}, or see why it does not answer.`, {
          gateway: name,
        }),
      ];
    }
    const only = reached.size === 0 ? '' : `People reach it through ${[...reached].join(', ')} only: `;
    const why = !gateway.is_direct
      ? 'no address of DNS led to it, and it takes connections only from its load balancer'
      : 'no address of DNS led to it, and it reports no public address';
    const summary = `${only}${name} was not reached, as ${why}.`;
    const remedy = 'See that the load balancer has it as a target, or give it a public address and a record.';
    return [finding('not_reached', 'notice', summary, remedy, { gateway: name })];
  });
}
