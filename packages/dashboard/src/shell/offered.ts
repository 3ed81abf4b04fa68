import type { SignedIn } from '@meshwork/contract';
import type { Feature } from '../feature.ts';

/**
 * Whether a feature is shown to somebody. While the coordinator is away nobody knows what they may, so everything is: its
 * pages then say what is the matter.
 */
export function isOffered({ permission }: Feature, { permissions }: SignedIn): boolean {
  return permission === undefined || permissions.length === 0 || permissions.includes(permission);
}
