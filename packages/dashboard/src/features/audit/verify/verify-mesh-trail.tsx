import { isWholeMesh } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useMay, useSession } from '../../../session/session.tsx';
import { VERIFY_TIMEOUT_MS, VerifyTrail } from './verify-trail.tsx';

/** The coordinator's chain. Whoever noted its head down before can have it looked for. */
export function VerifyMeshTrail() {
  const verify = useAction('audit.verify', { quiet: true });
  const { scope } = useSession().user;
  if (!useMay()('audit:verify') || !isWholeMesh(scope)) return null;
  return (
    <VerifyTrail
      title="Verify the trail of the mesh"
      takesAnchor
      isRunning={verify.isRunning}
      error={verify.error}
      run={async (anchor) => {
        const body = anchor === null ? {} : { anchor };
        return (await verify.run({ body, timeout_ms: VERIFY_TIMEOUT_MS })).body;
      }}
    />
  );
}
