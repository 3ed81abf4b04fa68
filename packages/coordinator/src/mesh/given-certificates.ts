/** Which ingresses show a certificate that an operator brought, and whether it is for them. */
import { OWN_INGRESS_CERTIFICATES } from '@meshwork/contract';
import type { IngressDocument } from '../kinds/ingress.ts';
import { wholeIngress } from './whole-ingress.ts';

/** Id of the given certificate that an ingress shows. Undefined: it shows another one, or none. */
export function givenBy(ingress: IngressDocument): string | undefined {
  const { certificate } = wholeIngress(ingress).tls;
  return OWN_INGRESS_CERTIFICATES.some((own) => own === certificate) ? undefined : certificate;
}

/** Whether clients accept a certificate with these names for a host name. A wildcard stands for exactly one label. */
export function isFor(names: readonly string[], hostname: string): boolean {
  const dot = hostname.indexOf('.');
  const wildcard = dot > 0 ? `*${hostname.slice(dot)}` : undefined;
  return names.some((name) => name === hostname || name === wildcard);
}
