import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';

interface DrainIngressDialogProps {
  readonly ingress: Ingress;
  readonly etag: string | undefined;
  readonly touches: readonly string[];
  readonly onClose: () => void;
}

/** The contract's longest deadline. */
const LONGEST_S = 86_400;

/** Drains an ingress, with a deadline or without one. */
export function DrainIngressDialog({ ingress, etag, touches, onClose }: DrainIngressDialogProps) {
  const { id, name, hostname } = ingress;
  const [seconds, setSeconds] = useState<number | string>('');
  const drain = useAction('ingress.drain', { touches, done: `Draining ${name}`, quiet: true });
  const body = typeof seconds === 'number' ? { deadline_s: seconds } : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    drain.run({ params: { id }, if_match: etag, body }).then(onClose, () => undefined /* shown below, by `error` */);
  };
  return (
    <Modal opened onClose={onClose} title={`Drain ${name}`}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Its gateways take no new connections for {hostname}; open ones may finish. New visitors get an error until
            you undrain it.
          </Text>
          <NumberInput
            label="End connections after"
            description="Seconds until what is still open is ended, such as websockets. Leave empty to let them end by themselves."
            suffix=" s"
            min={1}
            max={LONGEST_S}
            allowNegative={false}
            allowDecimal={false}
            value={seconds}
            onChange={setSeconds}
          />
          {drain.error !== null && <ProblemNotice error={drain.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={drain.isRunning}>
              Drain
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
