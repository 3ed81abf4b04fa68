import { useSearch } from '@tanstack/react-router';
import { safeReturn } from './safe-return.ts';

export function useReturnTo(): string {
  const { return_to } = useSearch({ strict: false }) as { readonly return_to?: unknown };
  return safeReturn(return_to);
}
