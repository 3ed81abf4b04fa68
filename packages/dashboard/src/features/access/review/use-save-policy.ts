import { ApiError } from '@meshwork/client';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../../api/actions.ts';
import { keyOf } from '../../../api/queries.ts';

interface SaveOptions {
  readonly saved: () => void;
  /** Another person saved first. The policy in effect has been refetched by then. */
  readonly conflicted: () => void;
}

interface Save {
  readonly text: string;
  readonly etag: string;
  readonly note: string;
}

export function useSavePolicy({ saved, conflicted }: SaveOptions) {
  const queries = useQueryClient();
  const replace = useAction('acls.replace', {
    quiet: true,
    touches: ['nodes', 'peers', 'overview'],
    done: ({ version }) => `Policy version ${version} is in effect`,
  });
  return {
    isRunning: replace.isRunning,
    error: replace.error,
    run: async ({ text, etag, note }: Save): Promise<void> => {
      try {
        const query = note === '' ? {} : { note };
        const reply = await replace.run({ body: text, query, if_match: etag });
        queries.setQueryData(keyOf('acls.show', undefined), reply);
        saved();
      } catch (error) {
        // Everything else stands in the dialog, beside the text that it is about.
        if (error instanceof ApiError && error.code === 'revision_mismatch') conflicted();
      }
    },
  };
}
