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
      <Command text={enrolCommand(wanted)} label="On the machine, in a shell of root" />
      <Command
        text={'systemctl enable --now mesh-agent\n# or, without the service unit:\nmesh agent run'}
        label="Then start its agent"
      />
      <Reachability url={url} />
      {isThisMachine(url) && (
        <Paper withBorder p="sm">
          <Text size="sm" fw={500}>
            No machine at hand? Try a simulated node
          </Text>
          <Text size="sm" mb="xs">
            It is a real agent without a network: nothing of your machine is touched, and root is not needed. It runs
            until Ctrl-C.
          </Text>
          <Command
            text={simulateCommand(wanted)}
            label="In another terminal, in the folder that Meshwork was started in"
          />
        </Paper>
      )}
      <Text size="sm" c="dimmed">
        The token lets one node in and ends <Ago at={prepared.expires} />. It is shown here and never again.{' '}
        <code>mesh agent check</code> says what a machine still lacks. In a clone of the repository, <code>mesh</code>{' '}
        is <code>npx mesh</code>.
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
        The coordinator says that it is at {url}, which only its own machine reaches. For other machines it has to
        listen on an address that they reach: <code>MESH_COORDINATOR_LISTEN</code>.
      </Alert>
    );
  }
  if (needsInsecure(url)) {
    return (
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        The coordinator speaks plain HTTP: anybody on the way can read the token. Give it a certificate (
        <code>MESH_TLS_CERT</code>, <code>MESH_TLS_KEY</code>) before you enrol nodes over a network you do not trust.
      </Alert>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      If the coordinator’s certificate is its own, add <code>--pin sha256:…</code>, which its log has as{' '}
      <code>tls_pin</code>.
    </Text>
  );
}
