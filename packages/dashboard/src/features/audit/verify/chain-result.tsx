import { Alert, List, Stack, Text } from '@mantine/core';
import type { ChainReport } from '@meshwork/contract';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { Command } from '../../../ui/command.tsx';
import { plural } from '../../../ui/plural.ts';
import { chainPointText } from './chain-point.ts';

/** The coordinator names no more than these at once. */
const MOST_FAULTS = 100;

export function ChainResult({ report }: { readonly report: ChainReport }) {
  const { intact, checked, base, head, faults } = report;
  return (
    <div role="status">
      <Stack gap="sm">
        {intact ? (
          <Alert color="green" variant="light" icon={<IconShieldCheck aria-hidden />} title="The chain is intact">
            {plural(checked, 'entry', 'entries')} verified.
            {base.seq > 0 && ` Entries up to ${base.seq.toLocaleString()} were deleted after their retention.`}
          </Alert>
        ) : (
          <Alert
            color="red"
            variant="light"
            icon={<IconAlertTriangle aria-hidden />}
            title={`The chain is broken in ${faults.length}${faults.length === MOST_FAULTS ? ' or more' : ''} ${faults.length === 1 ? 'place' : 'places'}`}
          >
            <List size="sm" spacing={4}>
              {faults.map(({ seq, id, reason, detail }) => (
                <List.Item key={`${seq} ${reason}`} style={{ overflowWrap: 'anywhere' }}>
                  <strong>
                    {seq.toLocaleString()}: {reason.replaceAll('_', ' ')}.
                  </strong>{' '}
                  {detail} {id !== null && <code>{id}</code>}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Command label="Current head. Store it elsewhere and enter it next time" text={chainPointText(head)} />
        {!intact && (
          <Text size="sm">
            The store was modified outside of the coordinator, or it is damaged. Make a copy of the store before you do
            anything else.
          </Text>
        )}
      </Stack>
    </div>
  );
}
