/** `corp.example.org=10.0.0.53`, once for each resolver: the resolvers of each domain, in the order in which nodes ask them. */
export function resolversByDomain(domains: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const entry of domains) {
    const at = entry.indexOf('=');
    const [domain, resolver] = [entry.slice(0, at), entry.slice(at + 1)];
    found.set(domain, [...(found.get(domain) ?? []), resolver]);
  }
  return found;
}
