import { Button, Modal } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useMayRotate } from './may-rotate.ts';
import { RotateForm } from './rotate-form.tsx';

/** Starts a rotation. For as long as none is under way. */
export function RotateButton({ isRootOutside }: { readonly isRootOutside: boolean }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  if (!useMayRotate()) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Rotate…
      </Button>
      <Modal opened={opened} onClose={close} title="Rotate authorities" size="lg">
        <RotateForm onClose={close} isRootOutside={isRootOutside} />
      </Modal>
    </>
  );
}
