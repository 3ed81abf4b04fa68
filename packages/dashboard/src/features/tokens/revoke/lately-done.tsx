import { Stack, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { ActLines } from '../act-lines.tsx';

/** Ours: enough to recognise what is using it. */
const SHOWN = 5;

export function LatelyDone({ token }: { readonly token: Token }) {
  const query = useRead('audit.list', { query: { token: token.id, limit: SHOWN } });
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        What it changed lately
      </Text>
      <Loaded query={query}>
        {({ items }) => <ActLines entries={items} say="target" none="Nothing that is still kept." />}
      </Loaded>
    </Stack>
  );
}
