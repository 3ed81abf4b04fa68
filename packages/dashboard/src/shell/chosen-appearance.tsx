import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { usePanelRead } from '../api/queries.ts';

/** The colours that the person chose, also in a browser that has not seen them before. Draws nothing. */
export function ChosenAppearance() {
  const { setColorScheme } = useMantineColorScheme();
  const chosen = usePanelRead('profile.show').data?.body.appearance;
  useEffect(() => {
    if (chosen !== undefined) setColorScheme(chosen);
  }, [chosen, setColorScheme]);
  return null;
}
