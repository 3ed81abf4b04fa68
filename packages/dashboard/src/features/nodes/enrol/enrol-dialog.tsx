import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../../session/session.tsx';
import { EnrolForm, type Prepared } from './enrol-form.tsx';
import { HasJoined } from './has-joined.tsx';
import { HowToJoin } from './how-to-join.tsx';
import { useJoined } from './use-joined.ts';

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

interface EnrolReadyProps {
  readonly prepared: Prepared;
  readonly onDone: () => void;
}

/** What to type on the machine, until it has come. */
function EnrolReady({ prepared, onDone }: EnrolReadyProps) {
  const { url } = useSession().coordinator;
  const joined = useJoined(prepared);
  return joined === null ? (
    <HowToJoin prepared={prepared} url={url} onDone={onDone} />
  ) : (
    <HasJoined name={prepared.name} joined={joined} onDone={onDone} />
  );
}
