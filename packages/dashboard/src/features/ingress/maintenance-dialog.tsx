import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { WordsField } from '../../ui/words-field.tsx';
import { problemAt } from './edit/field-problems.ts';

interface MaintenanceDialogProps {
  readonly ingress: Ingress;
  readonly etag: string | undefined;
  readonly touches: readonly string[];
  readonly onClose: () => void;
}

/** Ours: what most pages of this kind say, and as long as most maintenance takes. */
const FIRST = { message: 'We are down for maintenance, and will be back soon.', retry_after_s: 600 };
const LONGEST_MESSAGE = 500;

/** Switches the maintenance page on: what people read, when programs try again, and who passes meanwhile. */
export function MaintenanceDialog({ ingress, etag, touches, onClose }: MaintenanceDialogProps) {
  const { id, name, hostname } = ingress;
  const [message, setMessage] = useState(FIRST.message);
  const [retry_after_s, setRetryAfter] = useState(FIRST.retry_after_s);
  const [allow, setAllow] = useState<readonly string[]>([]);
  const update = useAction('ingress.update', { quiet: true, touches, done: `${name} is in maintenance` });
  const isReady = message.trim() !== '' && Number.isFinite(retry_after_s);
  const wrong = (field: string) => problemAt(update.error, `/maintenance/${field}`);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const maintenance = { message: message.trim(), retry_after_s, allow: [...allow] };
    const request = { params: { id }, body: { maintenance }, if_match: etag };
    update.run(request).then(onClose, () => undefined /* shown below, by `error` */);
  };
  return (
    <Modal opened onClose={onClose} title={`Maintenance of ${name}`}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Requests for {hostname} get a page with status 503 and do not reach the service, until you end the
            maintenance.
          </Text>
          <Textarea
            label="Message"
            description="What people read on the page. Plain text."
            required
            autosize
            minRows={2}
            maxRows={8}
            maxLength={LONGEST_MESSAGE}
            data-autofocus
            value={message}
            error={wrong('message')}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <NumberField
            label="Retry after"
            description="When programs and search engines should try again."
            suffix=" s"
            min={1}
            max={86_400}
            value={retry_after_s}
            error={wrong('retry_after_s')}
            onChange={setRetryAfter}
          />
          <WordsField
            label="Allowed networks"
            description="Clients from these networks pass as usual, so that you can look first."
            placeholder="203.0.113.0/24"
            initial={[]}
            choices={[]}
            error={wrong('allow')}
            onChange={setAllow}
          />
          {update.error !== null && <ProblemNotice error={update.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} loading={update.isRunning}>
              Start maintenance
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
