import type { GivenCertificate } from '@meshwork/contract';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockOff,
  IconHourglass,
} from '@tabler/icons-react';
import { Badge } from '../../ui/badge.tsx';

const LOOKS = {
  valid: { tone: 'good', icon: IconCircleCheck, word: 'Valid' },
  expiring: { tone: 'watch', icon: IconHourglass, word: 'Ends soon' },
  expired: { tone: 'bad', icon: IconClockOff, word: 'Expired' },
  not_yet_valid: { tone: 'bad', icon: IconClock, word: 'Not valid yet' },
} as const;

export function GivenState({ state }: { readonly state: GivenCertificate['state'] }) {
  const { tone, icon, word } = LOOKS[state];
  return <Badge tone={tone} icon={icon} word={word} />;
}

/** Whether clients of an ingress get it at a gateway. */
export function ShownState({ isProven }: { readonly isProven: boolean }) {
  return isProven ? (
    <Badge tone="good" icon={IconCircleCheck} word="Shown" />
  ) : (
    <Badge tone="bad" icon={IconCircleX} word="Not proven" />
  );
}

/** Whether it is for the host name of an ingress. */
export function UncoveredBadge() {
  return <Badge tone="bad" icon={IconAlertTriangle} word="For another name" />;
}
