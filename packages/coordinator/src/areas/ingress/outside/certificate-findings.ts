import type { CheckedPlace, OutsideFinding } from '@meshwork/contract';
import { finding, placeWords } from './finding.ts';
import type { OutsideFacts, ReadPlace } from './outside-facts.ts';

type Certificate = NonNullable<CheckedPlace['certificate']>;

/** Of what gateways showed. A certificate of another server is no matter of ours. */
export function certificateFindings(places: readonly ReadPlace[], facts: OutsideFacts): readonly OutsideFinding[] {
  const shown = places.filter(({ by, in_dns, certificate }) => by !== undefined && in_dns && certificate !== undefined);
  const faults = shown.flatMap((place) => {
    const { certificate, address, port, by } = place;
    const why = certificate === undefined ? null : faultOf(certificate, facts);
    if (why === null) return [];
    const about = { address, port, gateway: by?.name };
    return [
      finding('certificate', 'problem', `${placeWords(place)} shows a certificate ${why.what}.`, why.remedy, about),
    ];
  });
  const ofMesh = shown.filter(({ certificate }) => certificate?.trusted_by === 'mesh' && certificate.fits);
  if (ofMesh.length === 0) return faults;
  const summary =
    'Its certificate is of the mesh CA: programs that trust the root of the mesh accept it, and browsers of other people do not.';
  const remedy =
    'Install the root where people come from (`mesh ca bundle`), or put a CDN or load balancer with a public certificate in front.';
  return [...faults, finding('mesh_certificate', 'notice', summary, remedy)];
}

/** Plain HTTP has none, and needs none. */
export function isGoodCertificate({ certificate }: CheckedPlace, now_ms: number): boolean {
  return (
    certificate === undefined ||
    (isInTime(certificate, now_ms) && certificate.fits && certificate.trusted_by !== 'none')
  );
}

interface Fault {
  readonly what: string;
  readonly remedy: string;
}

/** Dates are compared with our clock: that of the node may be wrong. */
function faultOf(certificate: Certificate, { ingress, checker, now_ms }: OutsideFacts): Fault | null {
  const { fits, names, not_after, not_before, trusted_by, why = 'unknown' } = certificate;
  if (!fits) {
    const known = names.length === 0 ? 'no name' : names.join(', ');
    return {
      what: `for ${known}, and not for ${ingress.hostname}`,
      remedy: 'See which certificate the ingress has: `mesh ingress show`.',
    };
  }
  if (Date.parse(not_after) <= now_ms) {
    return {
      what: `that expired at ${not_after}`,
      remedy: 'See why it was not renewed: `mesh ingress show` and `mesh ca show`.',
    };
  }
  if (Date.parse(not_before) > now_ms) {
    return { what: `that is good only from ${not_before} on`, remedy: 'Set the clock of the gateway, or wait.' };
  }
  if (trusted_by !== 'none') return null;
  if (why === 'CERT_HAS_EXPIRED' || why === 'CERT_NOT_YET_VALID') {
    return {
      what: `that is in time by the clock here, and not by that of ${checker}`,
      remedy: `Set the clock of ${checker}.`,
    };
  }
  return {
    what: `that neither browsers nor programs of the mesh trust (${why})`,
    remedy: 'See that the gateway shows the whole chain, and that the root that signed it is one of the mesh.',
  };
}

function isInTime({ not_before, not_after }: Certificate, now_ms: number): boolean {
  return Date.parse(not_before) <= now_ms && now_ms < Date.parse(not_after);
}
