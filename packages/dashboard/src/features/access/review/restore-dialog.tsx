import { Text } from '@mantine/core';
import type { Policy, PolicyVersionWithText } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../../api/actions.ts';
import { ReviewDialog } from './review-dialog.tsx';

interface RestoreDialogProps {
  readonly version: PolicyVersionWithText;
  readonly current: Policy;
  readonly etag: string;
  readonly onClose: () => void;
}

/** A version comes back as a new one. Refused when the policy was saved meanwhile. */
export function RestoreDialog({ version, current, etag, onClose }: RestoreDialogProps) {
  const navigate = useNavigate();
  const restore = useAction('acls.restore', {
    quiet: true,
    touches: ['nodes', 'peers', 'overview'],
    done: (body) => `Version ${version.version} restored as version ${body.version}`,
  });
  const save = async (note: string) => {
    const query = note === '' ? {} : { note };
    try {
      await restore.run({ params: { n: String(version.version) }, query, if_match: etag });
    } catch {
      return; // the dialog shows it
    }
    onClose();
    await navigate({ to: '/access' });
  };
  return (
    <ReviewDialog
      title={`Restore version ${version.version}`}
      action="Restore version"
      description={
        <Text size="sm">It replaces version {current.version} and becomes a new version. The history is kept.</Text>
      }
      before={current.text}
      after={version.text}
      isRunning={restore.isRunning}
      error={restore.error}
      onClose={onClose}
      onSave={(note) => void save(note)}
    />
  );
}
