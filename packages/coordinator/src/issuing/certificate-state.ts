import type { CertificateState } from '@meshwork/contract';
import type { CertificateDocument } from '../kinds/ca.ts';
import type { View } from '../mesh/model.ts';

export function certificateState(
  view: View,
  { serial, not_after }: CertificateDocument,
  now_ms: number,
): CertificateState {
  if (view.get('revocation', serial) !== undefined) return 'revoked';
  return Date.parse(not_after) <= now_ms ? 'expired' : 'valid';
}
