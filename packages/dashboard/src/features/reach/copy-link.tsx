import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconLink } from '@tabler/icons-react';

/** The question as it stands in the address bar, for somebody else. They see what they may see. */
export function CopyLink() {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  const word = error === null ? (copied ? 'Copied' : 'Copy link') : 'Copy the address bar';
  const Shown = copied ? IconCheck : IconLink;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Shown size={14} aria-hidden />}
      onClick={() => copy(window.location.href)}
    >
      {word}
    </Button>
  );
}
