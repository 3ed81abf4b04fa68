import { Stack, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import { useConfirm } from '../../../ui/confirm.tsx';
import { withPlaces } from './rule-words.ts';

/**
 * Does something to the rules. Where the coordinator refuses because agents would be cut off, it shows which rule does that
 * and where, and goes on only if somebody says in so many words that it is meant. False: they did not.
 */
export function useCutOffGuard(
  order: readonly string[],
): (run: (force: boolean) => Promise<unknown>) => Promise<boolean> {
  const confirm = useConfirm();
  return async (run) => {
    try {
      await run(false);
      return true;
    } catch (error) {
      if (!isCutOff(error)) throw error;
      const meant = await confirm({
        title: 'This would cut agents off',
        consequence: (
          <Stack gap="xs">
            <Text size="sm">{withPlaces(error.detail, order)}</Text>
            <Text size="sm">
              An agent that cannot reach its coordinator cannot be told that a rule was a mistake: somebody would have
              to go to the host. To keep what agents need, put a rule before it that accepts that.
            </Text>
          </Stack>
        ),
        action: 'Cut them off',
        danger: true,
        type_to_confirm: 'cut off',
      });
      if (!meant) return false;
      await run(true);
      return true;
    }
  };
}

export function isCutOff(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'firewall_cuts_off';
}
