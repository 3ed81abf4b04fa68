import { isWholeMesh } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../session/session.tsx';
import { type Lifetime, lifetimesWithin } from './lifetimes.ts';

/** What the settings allow, where the person may read them. */
export function useLifetimes(): readonly Lifetime[] {
  const { scope } = useSession().user;
  const enabled = useMay()('settings:read') && isWholeMesh(scope);
  return lifetimesWithin(useRead('settings.show', undefined, { enabled }).data?.body.tokens.max_lifetime_days);
}
