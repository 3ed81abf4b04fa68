import { useMantineColorScheme } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePanelRead } from '../api/queries.ts';
import { Live } from '../live/live.tsx';
import { SessionGate } from '../session/session.tsx';
import { Shell } from './shell.tsx';

/** The frame of every page behind the sign-in. */
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

/** The colours that the person chose, also in a browser that has not seen them before. Draws nothing. */
function ChosenAppearance() {
  const { setColorScheme } = useMantineColorScheme();
  const chosen = usePanelRead('profile.show').data?.body.appearance;
  useEffect(() => {
    if (chosen !== undefined) setColorScheme(chosen);
  }, [chosen, setColorScheme]);
  return null;
}
