/** What is said of certificate orders, on every page that shows them. */
import type { CertificateOrder } from '@meshwork/contract';

const STEPS: Readonly<Record<NonNullable<CertificateOrder['step']>, string>> = {
  account: 'an account with the authority',
  order: 'the order at the authority',
  challenge: 'gateways show that they speak for the host name',
  finalize: 'the authority signs',
  download: 'the certificate is fetched',
};

/** What is done, or failed. Null: nothing is. */
export function stepWords({
  step,
  staging,
  state,
}: Pick<CertificateOrder, 'step' | 'staging' | 'state'>): string | null {
  if (step === null || state === 'issued') return null;
  const where = staging ? ', at the staging directory' : '';
  return `${state === 'failing' ? 'Failed at' : 'Now'}: ${STEPS[step]}${where}`;
}

export function renewalWords(by: NonNullable<CertificateOrder['renewal']>['by']): string {
  return by === 'authority' ? 'when the authority asks for it' : 'after two thirds of its life';
}
