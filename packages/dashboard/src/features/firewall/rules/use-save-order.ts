import { ApiError } from '@meshwork/client';
import type { FirewallRule } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { notify } from '../../../ui/notify.tsx';
import { type Move, moved, nextMoves } from './next-moves.ts';
import { isCutOff, useCutOffGuard } from './use-cut-off-guard.tsx';

/** Moves rules one by one until they stand as arranged. What was not moved stays arranged, and can be tried again. */
export function useSaveOrder(rules: readonly FirewallRule[]) {
  const order = rules.map(({ id }) => id);
  const update = useAction('firewall.update', { quiet: true, touches: ['nodes', 'acls'] });
  const guard = useCutOffGuard(order);
  const [isRunning, setRunning] = useState(false);
  const move = (one: Move, force: boolean) =>
    update.run({ params: { id: one.id }, body: { before: one.before, ...(force ? { force } : {}) } });

  /** The first that is not refused: on the way to a sound order, one rule may have to go before another. */
  const moveOne = async (moves: readonly Move[]): Promise<Move | undefined> => {
    for (const one of moves) {
      try {
        await move(one, false);
        return one;
      } catch (error) {
        if (!isCutOff(error)) throw error;
      }
    }
    const [first] = moves;
    return first !== undefined && (await guard((force) => move(first, force))) ? first : undefined;
  };

  const save = async (wanted: readonly string[]): Promise<boolean> => {
    setRunning(true);
    try {
      let now: readonly string[] = order;
      for (let moves = nextMoves(now, wanted); moves.length > 0; moves = nextMoves(now, wanted)) {
        const done = await moveOne(moves);
        if (done === undefined) return false;
        now = moved(now, done);
      }
      notify.done('Rule order saved');
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify.failed(error);
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { save, isRunning };
}
