import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { useMay, useSession } from '../../../session/session.tsx';

/** Authorities are those of the whole mesh. */
export function useMayRotate(): boolean {
  const { scope } = useSession().user;
  return useMay()('ca:rotate') && isWholeMesh(scope);
}
