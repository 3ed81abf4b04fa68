import { Alert, Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { movesBoundary, tagProblem } from '../../../mesh/tag-problem.ts';
import { TagsEditor } from '../../../mesh/tags-editor.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { ASKED_FOR } from './asked-for.ts';
import { askOf } from './node-asks.ts';

interface RetagDialogProps {
  readonly node: Node;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function RetagDialog({ node, etag, onClose }: RetagDialogProps) {
  const [tags, setTags] = useState(node.tags);
  const retag = useAction('nodes.retag', { ...ASKED_FOR, quiet: true });
  const wrong = tagProblem(tags);
  const added = tags.filter((tag) => !node.tags.includes(tag));
  const removed = node.tags.filter((tag) => !tags.includes(tag));
  const isChanged = added.length > 0 || removed.length > 0;
  return (
    <AskDialog
      title={`Change the tags of ${node.name}`}
      consequence={askOf('retag').consequence(node)}
      action="Change tags"
      isReady={wrong === null && isChanged}
      isRunning={retag.isRunning}
      error={retag.error}
      onSubmit={() => retag.run({ params: { id: node.id }, body: { tags }, if_match: etag })}
      onClose={onClose}
    >
      <TagsEditor
        label="Tags"
        description="Press Enter or Space after each tag."
        initial={node.tags}
        onChange={setTags}
        isFocused
      />
      {isChanged && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {added.length > 0 && `New: ${added.join(', ')}. `}
          {removed.length > 0 && `Removed: ${removed.join(', ')}.`}
        </Text>
      )}
      {movesBoundary(node.tags, tags) && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          This moves {node.name} to another boundary: people and tokens of that boundary will see it, and those of the
          old one will not.
        </Alert>
      )}
    </AskDialog>
  );
}
