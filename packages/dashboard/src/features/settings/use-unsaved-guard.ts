import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from '../../ui/confirm.tsx';

/** Asks before a person leaves with unsaved settings. */
export function useUnsavedGuard(isChanged: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!isChanged || next.pathname === '/settings' || next.pathname === '/sign-in') return false;
      const consequence = 'Your changes are discarded.';
      return !(await confirm({ title: 'Leave without saving?', consequence, action: 'Leave' }));
    },
    enableBeforeUnload: isChanged,
  });
}
