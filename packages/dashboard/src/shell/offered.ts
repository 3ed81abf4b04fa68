import type { SignedIn } from '@meshwork/contract';
import type { Feature } from '../feature/feature.ts';

/**
 * Whether a feature is shown. While the coordinator is unreachable the permissions are not known, so all are: its
 * pages then say what is the matter.
 */
export function isOffered({ permission }: Feature, { permissions }: SignedIn): boolean {
  return permission === undefined || permissions.length === 0 || permissions.includes(permission);
}
