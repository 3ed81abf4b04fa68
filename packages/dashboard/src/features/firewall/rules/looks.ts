/** How actions and findings look: word, icon and tone. */
import type { FirewallFinding, FirewallRule } from '@meshwork/contract';
import {
  type Icon,
  IconAlertTriangle,
  IconArrowsSplit2,
  IconBan,
  IconCheck,
  IconCopy,
  IconEyeOff,
  IconFileText,
  IconPlugConnectedX,
  IconUsersMinus,
  IconZzz,
} from '@tabler/icons-react';
import type { Tone } from '../../../ui/badge.tsx';

interface Look {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly word: string;
}

export const ACTION_LOOKS: Readonly<Record<FirewallRule['action'], Look>> = {
  accept: { tone: 'good', icon: IconCheck, word: 'Accept' },
  drop: { tone: 'bad', icon: IconBan, word: 'Drop' },
  log: { tone: 'busy', icon: IconFileText, word: 'Log' },
};

export const FINDING_LOOKS: Readonly<Record<FirewallFinding['kind'], Look>> = {
  duplicate: { tone: 'watch', icon: IconCopy, word: 'Duplicate' },
  shadowed: { tone: 'watch', icon: IconEyeOff, word: 'Shadowed' },
  conflict: { tone: 'watch', icon: IconArrowsSplit2, word: 'Conflict' },
  no_effect: { tone: 'off', icon: IconZzz, word: 'No effect' },
  no_node: { tone: 'off', icon: IconUsersMinus, word: 'No node' },
  cuts_off: { tone: 'bad', icon: IconPlugConnectedX, word: 'Cuts agents off' },
  may_cut_off: { tone: 'watch', icon: IconAlertTriangle, word: 'May cut agents off' },
};
