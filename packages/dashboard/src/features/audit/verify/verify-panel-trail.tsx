import { usePanelAction } from '../../../api/actions.ts';
import { useMay } from '../../../session/session.tsx';
import { VERIFY_TIMEOUT_MS, VerifyTrail } from './verify-trail.tsx';

/** The panel's own chain. */
export function VerifyPanelTrail() {
  const verify = usePanelAction('trail.verify', { quiet: true });
  if (!useMay()('audit:verify')) return null;
  return (
    <VerifyTrail
      title="Verify the trail of the panel"
      isRunning={verify.isRunning}
      error={verify.error}
      run={async () => (await verify.run({ body: {}, timeout_ms: VERIFY_TIMEOUT_MS })).body}
    />
  );
}
