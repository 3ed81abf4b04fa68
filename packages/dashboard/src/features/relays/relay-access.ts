import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { useMay, useSession } from '../../session/session.tsx';

/** Ours: heartbeats bring load and health without an event. */
export const LOOK_EVERY_MS = 10_000;

/** Relays are for the whole mesh: a person with a boundary can see them, and not change them. */
export function useMayWriteRelays(): boolean {
  const { scope } = useSession().user;
  return useMay()('relays:write') && isWholeMesh(scope);
}
