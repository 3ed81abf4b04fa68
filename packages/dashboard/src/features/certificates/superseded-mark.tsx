import { Text } from '@mantine/core';
import type { Certificate } from '@meshwork/contract';

type Marked = Pick<Certificate, 'state' | 'current'>;

/** Valid, but another one took its place. */
function isSuperseded({ state, current }: Marked): boolean {
  return state === 'valid' && !current;
}

export function SupersededMark({ certificate }: { readonly certificate: Marked }) {
  if (!isSuperseded(certificate)) return null;
  return (
    <Text span size="xs" c="dimmed" title="A newer certificate took its place">
      Superseded
    </Text>
  );
}
