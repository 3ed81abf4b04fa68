import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { ChainReport } from '@meshwork/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { type ChainPoint, parseChainPoint } from './chain-point.ts';
import { ChainResult } from './chain-result.tsx';

/** The whole trail is recomputed before the answer comes. */
export const VERIFY_TIMEOUT_MS = 5 * 60_000;

interface VerifyTrailProps {
  readonly title: string;
  /** Whether the head of an earlier time can be given, to prove that nothing from before was taken away. */
  readonly takesAnchor?: boolean;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly run: (anchor: ChainPoint | null) => Promise<ChainReport>;
}

/** Has a chain recomputed, and says what was found. */
export function VerifyTrail({ title, takesAnchor = false, isRunning, error, run }: VerifyTrailProps) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [report, setReport] = useState<ChainReport | null>(null);
  const anchor = parseChainPoint(typed);
  const isWrong = typed.trim() !== '' && anchor === null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isWrong) return;
    setReport(null);
    setReport(await run(anchor));
  };
  const close = () => {
    setOpened(false);
    setReport(null);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Verify chain
      </Button>
      <Modal opened={opened} onClose={close} title={title} size="lg">
        <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by error */)}>
          <Stack>
            <Text size="sm">
              Each entry contains the hash of the one before it. All hashes are recomputed; entries that were altered,
              removed, moved or added are listed.
            </Text>
            {takesAnchor && (
              <TextInput
                label="Earlier head (optional)"
                description="Proves that nothing was removed since then. Without it, entries cut off at the end go unnoticed."
                placeholder="42:9b74c989…"
                autoComplete="off"
                spellCheck={false}
                value={typed}
                error={isWrong ? 'Use the form NUMBER:HASH, with a hash of 64 hex digits' : null}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            {report !== null && <ChainResult report={report} />}
            {error !== null && report === null && !isRunning && <ProblemNotice error={error} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Close
              </Button>
              <Button type="submit" loading={isRunning} disabled={isWrong}>
                {report === null ? 'Verify' : 'Verify again'}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
