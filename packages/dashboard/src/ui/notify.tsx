/** Says in the corner of the page what worked and what did not. */
import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { Copyable } from './copyable.tsx';
import { saidOfError } from './said-of-error.ts';

/** Long enough to copy the id of the request. */
const FAILED_MS = 20_000;

export const notify = {
  done(text: string): void {
    notifications.show({ message: text, color: 'teal', icon: <IconCheck size={18} aria-hidden /> });
  },

  /** It worked, and there is something to know about it. */
  careful(title: string, text: string): void {
    notifications.show({
      title,
      message: text,
      color: 'yellow',
      icon: <IconAlertTriangle size={18} aria-hidden />,
      autoClose: FAILED_MS,
    });
  },

  failed(error: unknown): void {
    const { title, detail, request_id } = saidOfError(error);
    notifications.show({
      title,
      color: 'red',
      icon: <IconAlertCircle size={18} aria-hidden />,
      autoClose: FAILED_MS,
      message: (
        <>
          <div style={{ overflowWrap: 'anywhere' }}>{detail}</div>
          {request_id !== null && <Copyable value={request_id} />}
        </>
      ),
    });
  },
};
