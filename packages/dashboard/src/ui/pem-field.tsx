import { Button, FileButton, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './pem-field.module.css';

interface PemFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly value: string;
  readonly error: string | null;
  /** Absent: it is needed. */
  readonly isOptional?: boolean;
  readonly onChange: (value: string) => void;
}

/** Ours: nothing that belongs here is nearly as long. */
const MAX_FILE_BYTES = 128 * 1024;

/** A text in PEM, pasted or from a file. */
export function PemField({ value, error, isOptional = false, onChange, ...words }: PemFieldProps) {
  const [unread, setUnread] = useState<string | null>(null);
  const take = async (file: File | null) => {
    if (file === null) return;
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setUnread(isTooLarge ? `${file.name} is too large for that.` : null);
    if (!isTooLarge) onChange(await file.text());
  };
  return (
    <div>
      <Textarea
        {...words}
        required={!isOptional}
        autosize
        minRows={6}
        maxRows={12}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.text ?? '' }}
        value={value}
        error={unread ?? error}
        onChange={(event) => {
          setUnread(null);
          onChange(event.currentTarget.value);
        }}
      />
      <FileButton onChange={(file) => void take(file)} accept=".pem,.crt,.cer,.key,.txt">
        {(props) => (
          <Button
            {...props}
            mt="xs"
            variant="default"
            size="compact-sm"
            leftSection={<IconUpload size={14} aria-hidden />}
            aria-label={`Choose file for ${words.label}`}
          >
            Choose file
          </Button>
        )}
      </FileButton>
    </div>
  );
}
