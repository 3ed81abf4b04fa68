/** Each state that things of the mesh can be in: word, icon and tone, the same on every page. */
import type {
  AuthorityState as AuthorityStateName,
  CertificateState as CertificateStateName,
  Explanation,
  Ingress,
  Link,
  NodeOperationState,
  NodeState as NodeStateName,
  Reality as RealityName,
  Relay,
  Severity as SeverityName,
  TokenState as TokenStateName,
  UpstreamState as UpstreamStateName,
  WafMode as WafModeName,
  WafTested,
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
  IconEye,
  IconHelpCircle,
  IconHourglass,
  IconInfoCircle,
  IconLock,
  IconLogin2,
  IconPencil,
  IconPlugConnectedX,
  IconRefresh,
  IconSend,
  IconShieldCheck,
  IconShieldOff,
  IconTool,
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
  joining: look('busy', IconLogin2, 'Joining', 'Waiting for its first heartbeat'),
  draining: look('busy', IconArrowBarToDown, 'Draining', 'Handing over its roles'),
  pending: look('busy', IconHourglass, 'Pending', 'Waiting for approval'),
  stale: look('watch', IconClockPause, 'Stale', 'Heartbeat overdue'),
  unreachable: look('bad', IconPlugConnectedX, 'Unreachable', 'No heartbeat for a long time'),
  quarantined: look('bad', IconLock, 'Quarantined', 'Cut off from the mesh'),
  removed: look('off', IconTrash, 'Removed'),
};

export const OPERATION_LOOKS: Readonly<Record<NodeOperationState, Look>> = {
  requested: look('busy', IconClock, 'Requested', 'Not delivered to the node yet'),
  delivered: look('busy', IconSend, 'Delivered', 'Delivered to the node, not confirmed by a heartbeat yet'),
  verified: look('good', IconCircleCheck, 'Verified', 'Confirmed by a heartbeat'),
  failed: look('bad', IconCircleX, 'Failed'),
  timed_out: look('bad', IconClockOff, 'Timed out'),
  cancelled: look('off', IconBan, 'Cancelled'),
};

export const LINK_LOOKS: Readonly<Record<Link['state'], Look>> = {
  up: look('good', IconCircleCheck, 'Up', 'Recent handshake on both sides'),
  half: look('watch', IconArrowsLeftRight, 'Half', 'Recent handshake on one side only'),
  idle: look('off', IconClockPause, 'Idle', 'Not in use; the next packet brings it up'),
  down: look('bad', IconPlugConnectedX, 'Down', 'No recent handshake'),
  unknown: look('off', IconHelpCircle, 'Unknown', 'A side is stale or has not reported'),
};

export const TOKEN_LOOKS: Readonly<Record<TokenStateName, Look>> = {
  active: look('good', IconCircleCheck, 'Active'),
  retiring: look('watch', IconRefresh, 'Retiring', 'Rotated; the secret is valid until its deadline'),
  used_up: look('off', IconChecks, 'Used up', 'All its uses are spent'),
  expired: look('off', IconClockOff, 'Expired'),
  revoked: look('bad', IconBan, 'Revoked'),
};

export const CERTIFICATE_LOOKS: Readonly<Record<CertificateStateName, Look>> = {
  valid: look('good', IconCircleCheck, 'Valid'),
  expired: look('off', IconClockOff, 'Expired'),
  revoked: look('bad', IconBan, 'Revoked'),
};

export const AUTHORITY_LOOKS: Readonly<Record<AuthorityStateName, Look>> = {
  published: look('busy', IconSend, 'Published', 'Sent to every node, not in use yet'),
  active: look('good', IconCircleCheck, 'Active'),
  retiring: look('watch', IconRefresh, 'Retiring', 'Signs nothing more; its certificates are being renewed'),
  retired: look('off', IconClockOff, 'Retired', 'No longer trusted by nodes'),
};

const RELAY_LOOKS: Readonly<Record<'healthy' | 'unhealthy' | 'draining', Look>> = {
  healthy: look('good', IconCircleCheck, 'Healthy', 'Packets of other nodes came back through it'),
  unhealthy: look('bad', IconCircleX, 'Unhealthy', 'No packet of another node comes back through it'),
  draining: look('busy', IconArrowBarToDown, 'Draining', 'Its nodes move to other relays'),
};

export const INGRESS_LOOKS: Readonly<Record<Ingress['state'], Look>> = {
  serving: look('good', IconCircleCheck, 'Serving', 'A gateway proves that it takes connections'),
  assigned: look('bad', IconCircleX, 'Not serving', 'Gateways are chosen, and none has proven that it serves it'),
  unassigned: look('bad', IconPlugConnectedX, 'No gateway', 'No node can be its gateway'),
  draining: look('busy', IconArrowBarToDown, 'Draining', 'It takes no new connections'),
};

const UPSTREAM_LOOKS: Readonly<Record<UpstreamStateName, Look>> = {
  up: look('good', IconCircleCheck, 'Up', 'It gets requests'),
  down: look('bad', IconCircleX, 'Down', 'Its check fails, and it gets no requests'),
  unknown: look('off', IconHelpCircle, 'Unknown', 'Not checked yet'),
};

const SEVERITY_LOOKS: Readonly<Record<SeverityName, Look>> = {
  critical: look('bad', IconAlertTriangle, 'Critical'),
  warning: look('watch', IconAlertTriangle, 'Warning'),
  notice: look('busy', IconInfoCircle, 'Notice'),
};

const VERDICT_LOOKS: Readonly<Record<Explanation['verdict'], Look>> = {
  allowed: look('good', IconCircleCheck, 'Allowed'),
  denied: look('bad', IconCircleX, 'Denied'),
  unknown: look('watch', IconHelpCircle, 'Unknown'),
};

const REALITY_LOOKS: Readonly<Record<RealityName, Look>> = {
  passed: look('good', IconCircleCheck, 'Passed', 'Packets arrived, and an answer came back'),
  blocked: look('bad', IconCircleX, 'Blocked', 'Packets did not get through'),
  unknown: look('watch', IconHelpCircle, 'Not known', 'It could not be tried, or does not show'),
};

export const WAF_MODE_LOOKS: Readonly<Record<WafModeName, Look>> = {
  block: look('good', IconShieldCheck, 'Block', 'Requests that reach a threshold are refused'),
  detect: look('watch', IconEye, 'Detect', 'Requests are recorded, and all of them pass'),
  off: look('off', IconShieldOff, 'Off', 'Requests are not inspected'),
};

export const WAF_VERDICT_LOOKS: Readonly<Record<WafTested['verdict'], Look>> = {
  blocked: look('bad', IconBan, 'Blocked', 'It was refused'),
  detected: look('watch', IconEye, 'Detected', 'It passed, and would have been refused in the mode “block”'),
  scored: look('off', IconInfoCircle, 'Scored', 'Rules matched, and it passed'),
  passed: look('good', IconCircleCheck, 'Passed', 'No rule matched'),
};

const IN_FORCE_LOOKS = {
  yes: look('good', IconCircleCheck, 'In force', 'It proves that it has the policies as they are now'),
  no: look('bad', IconCircleX, 'Not in force', 'It does not prove that it has the policies as they are now'),
};

const EXCLUSION_LOOKS = {
  draft: look('busy', IconPencil, 'Draft', 'Saved, and not in force'),
  in_force: look('good', IconCircleCheck, 'In force'),
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

export function CertificateState({ state }: { readonly state: CertificateStateName }) {
  return <Badge {...CERTIFICATE_LOOKS[state]} />;
}

/** Whether a relay is proven to work, and whether it is being drained. */
export function RelayState({ relay }: { readonly relay: Pick<Relay, 'healthy' | 'draining'> }) {
  return (
    <>
      <Badge {...RELAY_LOOKS[relay.healthy ? 'healthy' : 'unhealthy']} />
      {relay.draining && (
        <>
          {' '}
          <Badge {...RELAY_LOOKS.draining} />
        </>
      )}
    </>
  );
}

export function IngressState({ state }: { readonly state: Ingress['state'] }) {
  return <Badge {...INGRESS_LOOKS[state]} />;
}

/** People get a page instead of the service. It stands beside the state of an ingress, which goes on. */
export function MaintenanceBadge() {
  return <Badge tone="watch" icon={IconTool} word="Maintenance" title="Requests get the maintenance page" />;
}

export function UpstreamState({ state }: { readonly state: UpstreamStateName }) {
  return <Badge {...UPSTREAM_LOOKS[state]} />;
}

export function Severity({ level }: { readonly level: SeverityName }) {
  return <Badge {...SEVERITY_LOOKS[level]} />;
}

export function Verdict({ verdict }: { readonly verdict: Explanation['verdict'] }) {
  return <Badge {...VERDICT_LOOKS[verdict]} />;
}

export function Reality({ reality }: { readonly reality: RealityName }) {
  return <Badge {...REALITY_LOOKS[reality]} />;
}

export function WafMode({ mode }: { readonly mode: WafModeName }) {
  return <Badge {...WAF_MODE_LOOKS[mode]} />;
}

export function WafVerdict({ verdict }: { readonly verdict: WafTested['verdict'] }) {
  return <Badge {...WAF_VERDICT_LOOKS[verdict]} />;
}

/** Of a policy on a gateway. */
export function WafInForce({ isProven }: { readonly isProven: boolean }) {
  return <Badge {...IN_FORCE_LOOKS[isProven ? 'yes' : 'no']} />;
}

export function WafExclusionState({ isDraft }: { readonly isDraft: boolean }) {
  return <Badge {...EXCLUSION_LOOKS[isDraft ? 'draft' : 'in_force']} />;
}
