import { Modal } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { useState } from 'react';
import { NewSecret } from '../secret/new-secret.tsx';
import { type Rotated, RotateForm } from './rotate-form.tsx';

interface RotateDialogProps {
  /** Null: it is closed. */
  readonly token: Token | null;
  readonly onClose: () => void;
}

/**
 * Rotating a token: until when the old secret is good, then the new one. It stands beside what it is opened from, not inside:
 * a token that was rotated may no longer be in that list, and the secret must not go with it.
 */
export function RotateDialog({ token, onClose }: RotateDialogProps) {
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const close = () => {
    setRotated(null); // the secret is not kept anywhere
    onClose();
  };
  const isAsking = rotated === null;
  return (
    <Modal
      opened={token !== null}
      onClose={close}
      title={token === null ? '' : `Rotate ${token.name}`}
      size="lg"
      closeOnClickOutside={isAsking}
      closeOnEscape={isAsking}
      withCloseButton={isAsking}
    >
      {token !== null && rotated === null && <RotateForm token={token} onRotated={setRotated} onCancel={close} />}
      {rotated !== null && <NewSecret token={rotated.successor} old_ends={rotated.old_ends} onDone={close} />}
    </Modal>
  );
}
