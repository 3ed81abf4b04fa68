import { Button, Group, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { handOver } from '../../ui/hand-over.ts';
import { pemFile } from './certificate-words.ts';
import classes from './pem-text.module.css';

interface PemTextProps {
  /** What it is, for screen readers. */
  readonly label: string;
  readonly text: string;
  readonly file: string;
}

/** Certificates in PEM, to copy or download. */
export function PemText({ label, text, file }: PemTextProps) {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => handOver(pemFile(text), file)}
        >
          Download {file}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => copy(text)}
        >
          {error === null ? (copied ? 'Copied' : 'Copy') : 'Copy failed: select the text instead'}
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <pre className={classes.text}>{text}</pre>
      </section>
    </Stack>
  );
}
