import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import classes from './request-input.module.css';

interface RequestInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | null;
}

/** Ours: no request is nearly as long, and a file that was dropped by mistake is not read whole. */
const MAX_FILE_BYTES = 256 * 1024;

/** The request, pasted, dropped or chosen. Nothing is sent yet. */
export function RequestInput({ value, onChange, error }: RequestInputProps) {
  const [isOver, setOver] = useState(false);
  const [unread, setUnread] = useState<string | null>(null);
  const take = async (file: File | null | undefined) => {
    if (file === null || file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      setUnread(`${file.name} is too large for a certificate request.`);
      return;
    }
    setUnread(null);
    onChange(await file.text());
  };
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file === undefined) return; // text that was dropped: the field takes it
    event.preventDefault();
    void take(file);
  };
  return (
    <div>
      <Textarea
        label="Certificate request"
        description="In PEM. The private key stays where it was made."
        placeholder={'-----BEGIN CERTIFICATE REQUEST-----'}
        required
        autosize
        minRows={8}
        maxRows={16}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.text }}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        value={value}
        error={unread ?? error}
        onChange={(event) => {
          setUnread(null);
          onChange(event.currentTarget.value);
        }}
      />
      <Group gap="xs" mt="xs">
        <FileButton onChange={(file) => void take(file)} accept=".csr,.pem,.req,.txt,application/pkcs10">
          {(props) => (
            <Button {...props} variant="default" size="compact-sm" leftSection={<IconUpload size={14} aria-hidden />}>
              Choose file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop one on the field
        </Text>
      </Group>
    </div>
  );
}
