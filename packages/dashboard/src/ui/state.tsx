/** Each state that things of the mesh can be in: word, icon and tone, the same on every page. */
import type {
  Explanation,
  Link,
  NodeOperationState,
  NodeState as NodeStateName,
  Severity as SeverityName,
  TokenState as TokenStateName,
} from '@meshwork/contract';
import {
  type Icon,
  IconAlertTriangle,
  IconArrowBarToDown,
  IconArrowsLeftRight,
  IconBan,
  IconChecks,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockOff,
  IconClockPause,
  IconHelpCircle,
  IconHourglass,
  IconInfoCircle,
  IconLock,
  IconLogin2,
  IconPlugConnectedX,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { Badge, type Tone } from './badge.tsx';

interface Look {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly word: string;
  readonly title?: string;
}
const look = (tone: Tone, icon: Icon, word: string, title?: string): Look => ({
  tone,
  icon,
  word,
  ...(title === undefined ? {} : { title }),
});

export const NODE_LOOKS: Readonly<Record<NodeStateName, Look>> = {
  active: look('good', IconCircleCheck, 'Active'),
  joining: look('busy', IconLogin2, 'Joining', 'Its first heartbeat has not come yet'),
  draining: look('busy', IconArrowBarToDown, 'Draining', 'It gives up its roles'),
  pending: look('busy', IconHourglass, 'Pending', 'It waits for approval'),
  stale: look('watch', IconClockPause, 'Stale', 'Its heartbeat is overdue'),
  unreachable: look('bad', IconPlugConnectedX, 'Unreachable', 'Its heartbeat has been overdue for long'),
  quarantined: look('bad', IconLock, 'Quarantined', 'Somebody cut it off'),
  removed: look('off', IconTrash, 'Removed'),
};

export const OPERATION_LOOKS: Readonly<Record<NodeOperationState, Look>> = {
  requested: look('busy', IconClock, 'Requested', 'The node has not heard of it yet'),
  delivered: look('busy', IconSend, 'Delivered', 'The node has it; a heartbeat has to prove it'),
  verified: look('good', IconCircleCheck, 'Verified', 'A heartbeat proved it'),
  failed: look('bad', IconCircleX, 'Failed'),
  timed_out: look('bad', IconClockOff, 'Timed out'),
  cancelled: look('off', IconBan, 'Cancelled'),
};

export const LINK_LOOKS: Readonly<Record<Link['state'], Look>> = {
  up: look('good', IconCircleCheck, 'Up', 'Both sides saw a handshake lately'),
  half: look('watch', IconArrowsLeftRight, 'Half', 'Only one side saw a handshake lately'),
  down: look('bad', IconPlugConnectedX, 'Down', 'Neither side saw a handshake lately'),
  unknown: look('off', IconHelpCircle, 'Unknown', 'An end is stale or has not said'),
};

export const TOKEN_LOOKS: Readonly<Record<TokenStateName, Look>> = {
  active: look('good', IconCircleCheck, 'Active'),
  retiring: look('watch', IconRefresh, 'Retiring', 'Rotated; the old secret is good until its deadline'),
  used_up: look('off', IconChecks, 'Used up', 'It has enrolled all the nodes it was made for'),
  expired: look('off', IconClockOff, 'Expired'),
  revoked: look('bad', IconBan, 'Revoked'),
};

export const SEVERITY_LOOKS: Readonly<Record<SeverityName, Look>> = {
  critical: look('bad', IconAlertTriangle, 'Critical'),
  warning: look('watch', IconAlertTriangle, 'Warning'),
  notice: look('busy', IconInfoCircle, 'Notice'),
};

export const VERDICT_LOOKS: Readonly<Record<Explanation['verdict'], Look>> = {
  allowed: look('good', IconCircleCheck, 'Allowed'),
  denied: look('bad', IconCircleX, 'Denied'),
  unknown: look('watch', IconHelpCircle, 'Unknown'),
};

export function NodeState({ state }: { readonly state: NodeStateName }) {
  return <Badge {...NODE_LOOKS[state]} />;
}

export function OperationState({ state }: { readonly state: NodeOperationState }) {
  return <Badge {...OPERATION_LOOKS[state]} />;
}

export function LinkState({ state }: { readonly state: Link['state'] }) {
  return <Badge {...LINK_LOOKS[state]} />;
}

export function TokenState({ state }: { readonly state: TokenStateName }) {
  return <Badge {...TOKEN_LOOKS[state]} />;
}

export function Severity({ level }: { readonly level: SeverityName }) {
  return <Badge {...SEVERITY_LOOKS[level]} />;
}

export function Verdict({ verdict }: { readonly verdict: Explanation['verdict'] }) {
  return <Badge {...VERDICT_LOOKS[verdict]} />;
}
