import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from '../../ui/confirm.tsx';

/** Asks before somebody leaves a secret behind that nobody can show them again. */
export function useSecretGuard(): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (next.pathname === '/sign-in') return false;
      const consequence = 'The secret is shown here and never again. Without it, the token has to be rotated.';
      return !(await confirm({ title: 'Leave the secret behind?', consequence, action: 'Leave', danger: true }));
    },
    enableBeforeUnload: true,
  });
}
