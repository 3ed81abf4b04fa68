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
            'No heartbeat received yet.'
          ) : (
            <>
              Last heartbeat <Ago at={heartbeat} />. The details below are from then.
            </>
          )}{' '}
          Check that the machine is up, that its agent runs (<code>systemctl status mesh-agent</code>), and that it
          reaches the coordinator (<code>mesh agent status</code>).
        </Alert>
      );
    case 'pending':
      return (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} needs approval and has no peers until then. Compare its WireGuard key below with the output of{' '}
          <code>wg show mesh0 public-key</code> on the machine.
        </Alert>
      );
    case 'quarantined':
      return (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {name} is quarantined and has no peers. It can still send heartbeats, so that you can diagnose and release it.
        </Alert>
      );
    case 'joining':
      return (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} is enrolled but has not sent a heartbeat yet. Start its agent (<code>systemctl start mesh-agent</code>
          ), and check that it reaches the coordinator (<code>mesh agent status</code>).
        </Alert>
      );
    case 'draining':
      return (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} is draining: it is not used as a relay, gateway or route provider until you undrain it.
        </Alert>
      );
    case 'removed':
      return (
        <Alert color="gray" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {name} was removed. Its name and addresses are available again. This record is kept for reference.
        </Alert>
      );
    case 'active':
      return null;
  }
}
