import { Modal } from '@mantine/core';
import { useState } from 'react';
import { EnrolForm, type Prepared } from './enrol-form.tsx';
import { EnrolReady } from './enrol-ready.tsx';

interface EnrolDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Enrolling a node: first what it is to be, then the command for the machine, then waiting until it has joined. */
export function EnrolDialog({ opened, onClose }: EnrolDialogProps) {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const close = () => {
    onClose();
    setPrepared(null); // the secret is not kept anywhere
  };
  return (
    <Modal opened={opened} onClose={close} title="Enrol a node" size="lg" closeOnClickOutside={prepared === null}>
      {prepared === null ? (
        <EnrolForm onPrepared={setPrepared} onCancel={close} />
      ) : (
        <EnrolReady prepared={prepared} onDone={close} />
      )}
    </Modal>
  );
}
