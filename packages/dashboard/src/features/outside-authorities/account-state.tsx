import type { OutsideAuthority } from '@meshwork/contract';
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { Badge } from '../../ui/badge.tsx';

type Account = OutsideAuthority['account'];

const LOOKS = {
  none: { tone: 'busy', icon: IconClock, word: 'Not made yet' },
  valid: { tone: 'good', icon: IconCircleCheck, word: 'Valid' },
  deactivated: { tone: 'bad', icon: IconBan, word: 'Deactivated' },
  revoked: { tone: 'bad', icon: IconBan, word: 'Revoked' },
} as const satisfies Readonly<Record<Account['state'], object>>;

/** One that could not be made or used says so. */
export function AccountState({ account: { state, problem } }: { readonly account: Account }) {
  if (problem !== null && (state === 'none' || state === 'valid')) {
    return <Badge tone="bad" icon={IconAlertTriangle} word={state === 'none' ? 'Not made' : 'Failing'} />;
  }
  return <Badge {...LOOKS[state]} />;
}
