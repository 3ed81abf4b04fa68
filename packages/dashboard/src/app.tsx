/** Everything that pages stand on, from the outside in. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { whenSignedOut } from './api/panel-fetch.ts';
import { FeatureList } from './feature/feature-list.ts';
import { FEATURES } from './features/features.ts';
import { router } from './routes.tsx';
import { ProveAgainProvider } from './session/prove-again.tsx';
import { leave } from './session/session.tsx';
import { cssVariables, theme } from './theme.ts';
import { ConfirmProvider } from './ui/confirm.tsx';

// The client tries again by itself where that makes sense, and the event stream says when something is no longer true: what
// was read stays fresh until then, or for half a minute without permission to follow events.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: true } },
});

whenSignedOut(() => leave(queries));

interface AppProps {
  /** What the panel's content security policy asks of every style element that is made by script. */
  readonly nonce: string;
}

export function App({ nonce }: AppProps) {
  return (
    <FeatureList value={FEATURES}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-right" />
          <ProveAgainProvider>
            <ConfirmProvider>
              <RouterProvider router={router} />
            </ConfirmProvider>
          </ProveAgainProvider>
        </QueryClientProvider>
      </MantineProvider>
    </FeatureList>
  );
}
