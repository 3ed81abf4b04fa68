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
