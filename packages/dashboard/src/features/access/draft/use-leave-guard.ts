import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from '../../../ui/confirm.tsx';

/** Asks before somebody leaves with changes that are not saved. Within the pages of the policy they are only a click away. */
export function useLeaveGuard(isChanged: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!isChanged || next.pathname.startsWith('/access') || next.pathname === '/sign-in') return false;
      const leaves = await confirm({
        title: 'Leave without saving?',
        consequence:
          'Your changes of the policy are not in effect. They stay in this tab until you save or discard them, and are gone when you close it.',
        action: 'Leave',
      });
      return !leaves;
    },
    enableBeforeUnload: isChanged,
  });
}
