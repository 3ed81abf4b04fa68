/** The dialog that asks for a fresh proof of identity and then repeats the request. */

import { Modal, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { type ProveAgain, ProveAgainContext } from '../api/prove-again.ts';
import { useTopDialog } from '../ui/top-dialog.ts';

// Loaded when it is needed: it knows passkeys, which most visits never use.
const ProofForm = lazy(() => import('./proof-form.tsx'));

interface Asked {
  readonly proven: () => void;
  readonly given_up: () => void;
}

export function ProveAgainProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const proveAgain = useCallback<ProveAgain>(async (run) => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error;
      await new Promise<void>((resolve, reject) => {
        setAsked({ proven: resolve, given_up: () => reject(error) });
      }).finally(() => setAsked(null));
      return await run();
    }
  }, []);
  const giveUp = useCallback(() => asked?.given_up(), [asked]);
  const dialog = useTopDialog(asked !== null, giveUp);
  return (
    <ProveAgainContext value={proveAgain}>
      {children}
      <Modal {...dialog} title="Confirm your identity" centered>
        <Text size="sm" c="dimmed" mb="md">
          This is a sensitive action. Confirm your identity to continue; we will not ask again for ten minutes.
        </Text>
        <Suspense>{asked !== null && <ProofForm onProven={asked.proven} />}</Suspense>
      </Modal>
    </ProveAgainContext>
  );
}
