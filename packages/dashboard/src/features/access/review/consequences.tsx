import { Alert, List, Stack, Text, Title } from '@mantine/core';
import type { Preview } from '@meshwork/contract';
import { IconAlertTriangle, IconLockOpen, IconShieldX } from '@tabler/icons-react';
import { plural } from '../../../ui/plural.ts';
import classes from './consequences.module.css';
import { Flows } from './flows.tsx';
import { Warnings } from './warnings.tsx';

/** What a policy would change if it was put into effect now. */
export function Consequences({ preview }: { readonly preview: Preview }) {
  const { opened, closed, nodes, nodes_touched, failed_tests, warnings = [] } = preview;
  const isSame = opened.length === 0 && closed.length === 0;
  return (
    <Stack gap="md">
      {failed_tests.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Tests fail: this policy would be refused">
          <List size="sm">
            {failed_tests.map(({ test, from, to, expected, detail }) => (
              <List.Item key={`${test} ${from} ${to} ${expected}`}>
                Test {test + 1}: {from} {expected === 'allow' ? 'must reach' : 'must not reach'} {to}. {detail}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      {isSame ? (
        <Text size="sm">Access does not change.</Text>
      ) : (
        <div className={classes.columns}>
          <section>
            <Title order={3} size="h5" mb="xs" className={classes.heading}>
              <IconLockOpen size={18} aria-hidden /> Opens ({opened.length})
            </Title>
            <Flows label="New access" flows={opened} />
          </section>
          <section>
            <Title order={3} size="h5" mb="xs" className={classes.heading}>
              <IconShieldX size={18} aria-hidden /> Closes ({closed.length})
            </Title>
            <Flows label="Removed access" flows={closed} />
            {closed.length > 0 && (
              <Text size="xs" c="dimmed" mt={4}>
                Open connections that it allowed are closed.
              </Text>
            )}
          </section>
        </div>
      )}
      <NodesTouched names={nodes.map(({ name }) => name)} count={nodes_touched} />
    </Stack>
  );
}

function NodesTouched({ names, count }: { readonly names: readonly string[]; readonly count: number }) {
  if (count === 0) return <Text size="sm">No node would change.</Text>;
  return (
    <details className={classes.nodes}>
      <summary>{plural(count, 'node')} would change</summary>
      <p className={classes.names}>
        {names.join(', ')}
        {count > names.length ? ` and ${count - names.length} more` : ''}
      </p>
    </details>
  );
}
