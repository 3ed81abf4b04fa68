/** What DNS says of the host name, before anything is tried there. */
import type { OutsideFinding } from '@meshwork/contract';
import { finding } from './finding.ts';
import { type OutsideFacts, recordsToMake, reporting } from './outside-facts.ts';

export function dnsFindings(facts: OutsideFacts): readonly OutsideFinding[] {
  const { seen, ingress, checker, checks } = facts;
  const { addresses, resolvers, dns_fault, dns_detail, left_out } = seen;
  const found: OutsideFinding[] = [];
  if (dns_fault === 'no_resolver') {
    const summary = `${checker} has no resolver beside the mesh, so it cannot look ${ingress.hostname} up.`;
    found.push(finding('no_resolver', 'problem', summary, 'Name another node, or give the host a resolver.'));
  } else if (dns_fault === 'no_answer') {
    const summary = `The resolvers of ${checker} (${resolvers.join(', ')}) do not say where ${ingress.hostname} is: ${dns_detail ?? 'no answer'}.`;
    found.push(
      finding('no_resolver', 'problem', summary, 'Check the name servers of the domain, or name another node.'),
    );
  } else if (dns_fault === 'no_record') {
    const summary = `DNS has no address for ${ingress.hostname} (asked ${resolvers.join(', ')}).`;
    found.push(finding('no_record', 'problem', summary, recordsToMake(facts)));
  }
  if (left_out > 0) {
    const summary = `DNS has ${left_out} more addresses than are tried.`;
    found.push(finding('foreign_address', 'notice', summary, null));
  }
  if (checks.length === 0 && addresses.length > 0) {
    const summary = `${ingress.hostname} is at ${addresses.join(', ')}. By UDP nothing answers that shows who is there, so nothing was tried.`;
    found.push(finding('udp', 'notice', summary, 'Try it with a client of the service.'));
    for (const address of addresses) {
      const owner = reporting(facts, address);
      if (owner === undefined) found.push(foreign(facts, address));
    }
  }
  return found;
}

export function foreign(facts: OutsideFacts, address: string): OutsideFinding {
  const summary = `DNS says ${address}, which is no address that a gateway of this ingress reports.`;
  const remedy = `If a load balancer or a router passes it on to a gateway, that is fine. Otherwise replace the record. ${recordsToMake(facts)}`;
  return finding('foreign_address', 'notice', summary, remedy, { address });
}
