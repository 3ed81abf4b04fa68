import type { CertificateOrder } from '@meshwork/contract';
import { IconAlertTriangle, IconCircleCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import { Badge } from '../ui/badge.tsx';

const LOOKS = {
  waiting: { tone: 'off', icon: IconClock, word: 'Waiting' },
  under_way: { tone: 'busy', icon: IconRefresh, word: 'Under way' },
  failing: { tone: 'bad', icon: IconAlertTriangle, word: 'Failing' },
  issued: { tone: 'good', icon: IconCircleCheck, word: 'Issued' },
} as const satisfies Readonly<Record<CertificateOrder['state'], object>>;

export function OrderState({ state }: { readonly state: CertificateOrder['state'] }) {
  return <Badge {...LOOKS[state]} />;
}
