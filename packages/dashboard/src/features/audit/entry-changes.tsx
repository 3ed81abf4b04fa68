import { Stack, Text, Title } from '@mantine/core';
import type { AuditEntry } from '@meshwork/contract';
import { LineDiff } from '../../ui/line-diff.tsx';
import { documentText } from './document-text.ts';
import classes from './entry-changes.module.css';

/** The documents that an action changed, before and after. Secrets were never written into the trail. */
export function EntryChanges({ changes }: { readonly changes: AuditEntry['changes'] }) {
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No documents changed.
      </Text>
    );
  }
  return (
    <Stack gap="md">
      {changes.map(({ kind, id, before, after }) => (
        <div key={`${kind} ${id}`}>
          <Title order={3} size="h6" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {kind} {id} {wordFor(before, after)}
          </Title>
          {before === null || after === null ? (
            <pre className={classes.document}>{documentText(before ?? after)}</pre>
          ) : (
            <LineDiff
              before={documentText(before)}
              after={documentText(after)}
              label={`Changed lines of ${kind} ${id}`}
            />
          )}
        </div>
      ))}
    </Stack>
  );
}

function wordFor(before: unknown, after: unknown): string {
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'changed';
}
