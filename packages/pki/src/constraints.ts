import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import { x509 } from './x509.ts';

/** What an authority can certify. Programs refuse anything else that it signs. */
export interface Constraints {
  /** Names in these domains, and the domains themselves. */
  readonly domains: readonly string[];
  /** In CIDR notation. */
  readonly networks: readonly string[];
  /** SPIFFE ids of exactly this host. */
  readonly trust_domain: string;
}

/** Name constraints (RFC 5280, 4.2.1.10). Critical: a program that cannot check them must not trust the authority at all. */
export function constraintsExtension({ domains, networks, trust_domain }: Constraints): x509.Extension {
  const permitted = [
    ...domains.map((dNSName) => new GeneralName({ dNSName })),
    ...networks.map((iPAddress) => new GeneralName({ iPAddress })),
    new GeneralName({ uniformResourceIdentifier: trust_domain }),
  ];
  const permittedSubtrees = new GeneralSubtrees(permitted.map((base) => new GeneralSubtree({ base })));
  const value = AsnConvert.serialize(new NameConstraints({ permittedSubtrees }));
  return new x509.Extension(id_ce_nameConstraints, true, value);
}

/** What an authority says that it can certify. `fault`: what is wrong with it, in words that go on after its name. */
export function readConstraints(certificate: x509.X509Certificate): Constraints | { readonly fault: string } {
  const extension = certificate.extensions.find(({ type }) => type === id_ce_nameConstraints);
  if (extension === undefined || !extension.critical) return { fault: 'has no critical name constraints' };
  const bases = permittedIn(extension);
  if (bases === undefined) return { fault: 'has name constraints that cannot be read, or that exclude something' };
  const domains = bases.flatMap(({ dNSName }) => dNSName ?? []);
  const networks = bases.flatMap(({ iPAddress }) => iPAddress ?? []);
  const [trust_domain, ...more] = bases.flatMap(({ uniformResourceIdentifier: host }) => host ?? []);
  const isWhole = domains.length + networks.length + 1 === bases.length && more.length === 0;
  // One kind that is missing would leave that kind open.
  if (trust_domain === undefined || domains.length === 0 || networks.length === 0 || !isWhole) {
    return { fault: 'must have name constraints for DNS names, addresses and one trust domain, and for nothing else' };
  }
  return { domains, networks, trust_domain };
}

function permittedIn(extension: x509.Extension): readonly GeneralName[] | undefined {
  try {
    const { permittedSubtrees, excludedSubtrees } = AsnConvert.parse(extension.value, NameConstraints);
    return excludedSubtrees === undefined ? (permittedSubtrees ?? []).map(({ base }) => base) : undefined;
  } catch {
    return undefined;
  }
}
