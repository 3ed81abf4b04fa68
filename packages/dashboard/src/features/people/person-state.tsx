import type { User } from '@meshwork/contract';
import { IconBan, IconCircleCheck, IconMail } from '@tabler/icons-react';
import { Badge } from '../../ui/badge.tsx';

const LOOKS = {
  active: { tone: 'good', icon: IconCircleCheck, word: 'Active' },
  invited: { tone: 'busy', icon: IconMail, word: 'Invited', title: 'Has not set a password yet' },
  disabled: { tone: 'off', icon: IconBan, word: 'Disabled', title: 'Cannot sign in' },
} as const;

export function PersonState({ state }: { readonly state: User['state'] }) {
  return <Badge {...LOOKS[state]} />;
}
