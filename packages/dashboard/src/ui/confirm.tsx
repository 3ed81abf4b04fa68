/** Asks before something dangerous, and says what follows from it. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { useTopDialog } from './top-dialog.ts';

export interface ConfirmOptions {
  readonly title: string;
  readonly consequence: ReactNode;
  /** On the button: what is done, as a verb. */
  readonly action: string;
  readonly danger?: boolean;
  /** What has to be typed first: the name of what is about to be lost. */
  readonly type_to_confirm?: string;
  readonly extra?: ReactNode;
}

interface Asked {
  readonly options: ConfirmOptions;
  readonly answer: (yes: boolean) => void;
}

type Ask = (options: ConfirmOptions) => Promise<boolean>;

const ConfirmContext = createContext<Ask>(() => Promise.reject(new Error('useConfirm outside of ConfirmProvider')));

export function useConfirm(): Ask {
  return use(ConfirmContext);
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [open, setOpen] = useState(false);
  const ask = useCallback<Ask>((options) => {
    return new Promise((resolve) => {
      const answer = (yes: boolean) => {
        setOpen(false);
        resolve(yes);
      };
      setAsked({ options, answer });
      setOpen(true);
    });
  }, []);
  const giveUp = useCallback(() => asked?.answer(false), [asked]);
  const dialog = useTopDialog(open, giveUp);
  return (
    <ConfirmContext value={ask}>
      {children}
      <Modal {...dialog} title={asked?.options.title} centered>
        {asked !== null && <Question options={asked.options} answer={asked.answer} />}
      </Modal>
    </ConfirmContext>
  );
}

function Question({ options, answer }: Asked) {
  const [typed, setTyped] = useState('');
  const wanted = options.type_to_confirm;
  const ready = wanted === undefined || typed.trim() === wanted;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) answer(true);
      }}
    >
      <Stack>
        <div style={{ overflowWrap: 'anywhere' }}>{options.consequence}</div>
        {options.extra}
        {wanted !== undefined && (
          <TextInput
            label={`Type ${wanted} to confirm`}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => answer(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(options.danger === true ? { color: 'red' } : {})}
            disabled={!ready}
            data-autofocus={wanted === undefined && options.danger !== true ? true : undefined}
          >
            {options.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
