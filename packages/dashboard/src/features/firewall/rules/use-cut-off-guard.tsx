import { Stack, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import type { FirewallFinding } from '@meshwork/contract';
import { useConfirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.tsx';
import { withPlaces } from './rule-words.ts';

/**
 * Does something to the rules. Where the coordinator refuses because agents would be cut off, it shows which rule does that
 * and where, and continues only if the person confirms it by typing. False: they did not.
 */
export function useCutOffGuard(
  order: readonly string[],
): (run: (force: boolean) => Promise<Changed>) => Promise<boolean> {
  const confirm = useConfirm();
  return async (run) => {
    try {
      warn(await run(false), order);
      return true;
    } catch (error) {
      if (!isCutOff(error)) throw error;
      const meant = await confirm({
        title: 'This would cut off agents',
        consequence: (
          <Stack gap="xs">
            <Text size="sm">{withPlaces(error.detail, order)}</Text>
            <Text size="sm">
              An agent that cannot reach its coordinator rolls the rules back by itself, after 60 s unless its host says
              otherwise; until then the node is offline. To keep what agents need, put a rule before it that accepts
              that.
            </Text>
          </Stack>
        ),
        action: 'Apply anyway',
        danger: true,
        type_to_confirm: 'cut off',
      });
      if (!meant) return false;
      await run(true);
      return true;
    }
  };
}

/** What was changed, or undefined when it is gone. */
interface Changed {
  readonly body: { readonly findings: readonly FirewallFinding[] } | undefined;
}

/** What only may cut an agent off is done, and said. */
function warn({ body }: Changed, order: readonly string[]): void {
  for (const { kind, detail, nodes } of body?.findings ?? []) {
    const where = nodes === 1 ? 'one node' : `${nodes} nodes`;
    if (kind === 'may_cut_off') notify.careful(`May cut off ${where}`, withPlaces(detail, order));
  }
}

export function isCutOff(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'firewall_cuts_off';
}
