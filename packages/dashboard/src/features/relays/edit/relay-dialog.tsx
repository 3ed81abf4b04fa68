import { Button, Group, Modal, Stack } from '@mantine/core';
import type { Relay } from '@meshwork/contract';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { RelayFields } from './relay-fields.tsx';
import { changesOf, formOf, isComplete, NEW_RELAY, newRelay } from './relay-form.ts';

interface RelayDialogProps {
  /** Null: a new one. */
  readonly relay: Relay | null;
  /** What the node that runs it is called. Absent: it has none, or the reader may not see it. */
  readonly node?: string | undefined;
  readonly etag: string | undefined;
  readonly onDone?: (relay: Relay) => void;
  readonly onClose: () => void;
}

/** Makes a node a relay, registers a TURN server, or changes one. */
export function RelayDialog({ relay, node, etag, onDone, onClose }: RelayDialogProps) {
  const [before] = useState(() => (relay === null ? NEW_RELAY : formOf(relay, node ?? relay.node ?? '')));
  const [form, setForm] = useState(before);
  const touches = ['nodes', 'overview', 'audit', 'peers'];
  const create = useAction('relays.create', { quiet: true, touches, done: ({ name }) => `Relay ${name} added` });
  const update = useAction('relays.update', { quiet: true, touches, done: ({ name }) => `Relay ${name} saved` });
  const isNew = relay === null;
  const { error, isRunning } = isNew ? create : update;
  const changes = changesOf(form, before);
  const isReady = isComplete(form, isNew) && (isNew || Object.keys(changes).length > 0);
  const save = async () => {
    const { body } = isNew
      ? await create.run({ body: newRelay(form) })
      : await update.run({ params: { name: relay.name }, body: changes, if_match: etag });
    onClose();
    onDone?.(body);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save().catch(() => undefined /* shown below, by `error` */);
  };
  return (
    <Modal opened onClose={onClose} title={isNew ? 'Add relay' : `Edit ${relay.name}`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <RelayFields form={form} isNew={isNew} error={error} onChange={setForm} />
          {error !== null && <ProblemNotice error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} loading={isRunning}>
              {isNew ? 'Add relay' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
