import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for screen readers. */
  readonly label: string;
  readonly size?: 'xs' | 'sm' | 'md';
}

/** Copies, and says that it did. */
export function CopyButton({ value, label, size = 'sm' }: CopyButtonProps) {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  // Browsers give the clipboard only to pages that came over TLS or from the same machine.
  const said = error === null ? (copied ? 'Copied' : `Copy ${label}`) : 'Copy failed: select the text instead';
  return (
    <Tooltip label={said} withArrow>
      <ActionIcon
        size={size}
        variant="subtle"
        color={copied ? 'teal' : 'gray'}
        aria-label={said}
        onClick={() => copy(value)}
      >
        {copied ? <IconCheck size="80%" aria-hidden /> : <IconCopy size="80%" aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
