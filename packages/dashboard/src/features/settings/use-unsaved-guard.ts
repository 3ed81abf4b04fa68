import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from '../../ui/confirm.tsx';

/** Asks before somebody leaves with settings that are not saved. */
export function useUnsavedGuard(isChanged: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!isChanged || next.pathname === '/settings' || next.pathname === '/sign-in') return false;
      const consequence = 'What you changed is not in effect, and is forgotten.';
      return !(await confirm({ title: 'Leave without saving?', consequence, action: 'Leave' }));
    },
    enableBeforeUnload: isChanged,
  });
}
