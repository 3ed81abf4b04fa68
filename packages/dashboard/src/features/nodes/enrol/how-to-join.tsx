import { Alert, Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { May } from '../../../session/session.tsx';
import { Command } from '../../../ui/command.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { enrolCommand, isThisMachine, needsInsecure, simulateCommand } from './enrol-command.ts';
import type { Prepared } from './enrol-form.tsx';

interface HowToJoinProps {
  readonly prepared: Prepared;
  /** Of the coordinator, as nodes reach it. */
  readonly url: string;
  readonly onDone: () => void;
}

/** The commands for the machine. Where only this machine could be meant, also one that leaves it as it is. */
export function HowToJoin({ prepared, url, onDone }: HowToJoinProps) {
  const wanted = { ...prepared, coordinator: url };
  return (
    <Stack>
      <Command text={enrolCommand(wanted)} label="Run on the machine as root" />
      <Command
        text={'systemctl enable --now mesh-agent\n# or, without the service unit:\nmesh agent run'}
        label="Then start the agent"
      />
      <Reachability url={url} />
      {isThisMachine(url) && (
        <Paper withBorder p="sm">
          <Text size="sm" fw={500}>
            No machine available? Try a simulated node
          </Text>
          <Text size="sm" mb="xs">
            A real agent without a network: it does not change your machine and does not need root. It runs until
            Ctrl-C.
          </Text>
          <Command
            text={simulateCommand(wanted)}
            label="In another terminal, in the folder where you started Meshwork"
          />
        </Paper>
      )}
      <Text size="sm" c="dimmed">
        The token enrols one node and expires <Ago at={prepared.expires} />. It is not shown again. Run{' '}
        <code>mesh agent check</code> to see what a machine is missing. In a clone of the repository, use{' '}
        <code>npx mesh</code> instead of <code>mesh</code>.
      </Text>
      <May permission="events:read">
        <Paper withBorder p="sm" role="status">
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" aria-hidden />
            <Text size="sm">Waiting for {prepared.name} to join</Text>
          </Group>
        </Paper>
      </May>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

function Reachability({ url }: { readonly url: string }) {
  if (isThisMachine(url)) {
    return (
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        The coordinator listens on {url}, which only its own machine can reach. Set <code>MESH_COORDINATOR_LISTEN</code>{' '}
        to an address that other machines can reach.
      </Alert>
    );
  }
  if (needsInsecure(url)) {
    return (
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        The coordinator uses plain HTTP: anyone on the network path can read the token. Configure a certificate (
        <code>MESH_TLS_CERT</code>, <code>MESH_TLS_KEY</code>) before you enrol nodes over a network you do not trust.
      </Alert>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      If the coordinator uses a self-signed certificate, add <code>--pin sha256:…</code>, which its log shows as{' '}
      <code>tls_pin</code>.
    </Text>
  );
}
