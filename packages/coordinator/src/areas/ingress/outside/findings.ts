/** What a check from outside means: finding by finding, with what to do, and how people fare in all. */
import type { CheckedPlace, OutsideCheck } from '@meshwork/contract';
import { certificateFindings, isGoodCertificate } from './certificate-findings.ts';
import { dnsFindings } from './dns-findings.ts';
import { besideDns, gatewayFindings } from './gateway-findings.ts';
import { type GatewayFacts, isMain, type OutsideFacts, type ReadPlace } from './outside-facts.ts';
import { isUnproven, ledThere } from './place-findings.ts';

type Outcome = Pick<OutsideCheck, 'verdict' | 'findings'>;

const LEVELS = ['problem', 'notice', 'good'];

export function outsideFindings(facts: OutsideFacts): Outcome {
  const read = facts.seen.places.map((place) => ({ ...place, by: gatewayShowing(facts, place) }));
  const findings = [
    ...dnsFindings(facts),
    ...read.flatMap((place) => (place.in_dns ? ledThere(facts, place) : besideDns(facts, place, read))),
    ...certificateFindings(read, facts),
    ...gatewayFindings(facts, read),
  ];
  findings.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return { verdict: verdictOf(facts, read), findings };
}

function gatewayShowing({ gateways }: OutsideFacts, { answer }: CheckedPlace): GatewayFacts | undefined {
  return answer === undefined ? undefined : gateways.find((gateway) => gateway.answer === answer);
}

function verdictOf(facts: OutsideFacts, read: readonly ReadPlace[]): OutsideCheck['verdict'] {
  const { seen, checks, now_ms } = facts;
  if (seen.addresses.length === 0) return 'unreached';
  if (checks.length === 0) return 'unproven';
  const tried = read.filter((place) => place.in_dns && isMain(facts, place));
  const open = tried.filter((place) => place.outcome === 'connected' || isUnproven(facts, place));
  const good = tried.filter((place) => place.by !== undefined && isGoodCertificate(place, now_ms));
  if (good.length === tried.length) return 'reached';
  if (open.length === tried.length) return 'unproven';
  return good.length + open.length === 0 ? 'unreached' : 'partly';
}
