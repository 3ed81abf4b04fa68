import { Outlet } from '@tanstack/react-router';
import { Live } from '../api/live.tsx';
import { SessionGate } from '../session/session.tsx';
import { ChosenAppearance } from './chosen-appearance.tsx';
import { Shell } from './shell.tsx';

/** What surrounds every page of whoever is signed in. */
export function SignedInShell() {
  return (
    <SessionGate>
      <ChosenAppearance />
      <Live>
        <Shell>
          <Outlet />
        </Shell>
      </Live>
    </SessionGate>
  );
}
