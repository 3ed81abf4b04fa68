import { Alert } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { Ago } from '../../../ui/moment.tsx';

/** What a state means for the mesh, and what to do about it. Nothing for a node that is as it should be. */
export function StateNotice({ node }: { readonly node: Node }) {
  const { state, heartbeat, name } = node;
  switch (state) {
    case 'stale':
    case 'unreachable':
      return (
        <Alert color={state === 'stale' ? 'yellow' : 'red'} variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {heartbeat === null ? (
            'No heartbeat has ever come.'
          ) : (
            <>
              The last heartbeat came <Ago at={heartbeat} />, and what is said below is as of then.
            </>
          )}{' '}
          See whether the machine runs, whether its agent does (<code>systemctl status mesh-agent</code>), and whether
          it reaches the coordinator (<code>mesh agent status</code>).
        </Alert>
      );
    case 'pending':
      return (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} waits for approval and has no peers until then. Compare its WireGuard key below with what{' '}
          <code>wg show mesh0 public-key</code> says on the machine.
        </Alert>
      );
    case 'quarantined':
      return (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {name} is cut off: it has no peers. It may still send heartbeats, so that it can be diagnosed and released.
        </Alert>
      );
    case 'joining':
      return (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} is enrolled, and its first heartbeat has not come yet. It has no role until then. Start its agent (
          <code>systemctl start mesh-agent</code>), and check that it reaches the coordinator (
          <code>mesh agent status</code>).
        </Alert>
      );
    case 'draining':
      return (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} has given up its roles as relay, gateway and provider of routes, and gets none until the drain is
          ended.
        </Alert>
      );
    case 'removed':
      return (
        <Alert color="gray" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} was removed. Its name and addresses are free; the record is kept for a while, so that what refers to it
          can be understood.
        </Alert>
      );
    case 'active':
      return null;
  }
}
