import type { DnsSection } from '@meshwork/contract';
import type { View } from './model.ts';
import { settingsOf } from './settings-of.ts';

/** The domains of the settings, each with all its resolvers in their order. */
export function routingDomains(view: View): DnsSection['routing_domains'] {
  const domains = new Map<string, string[]>();
  for (const entry of settingsOf(view).dns.routing_domains) {
    const [domain, resolver] = splitEntry(entry);
    const known = domains.get(domain);
    if (known === undefined) domains.set(domain, [resolver]);
    else known.push(resolver);
  }
  return [...domains].map(([domain, resolvers]) => ({ domain, resolvers }));
}

/** `corp.example.org=10.0.0.53` */
export function splitEntry(entry: string): readonly [domain: string, resolver: string] {
  const sign = entry.indexOf('=');
  return [entry.slice(0, sign), entry.slice(sign + 1)];
}
