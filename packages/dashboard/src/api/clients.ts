import { createClient, createPanelClient } from '@meshwork/client';
import { coordinatorFetch, panelFetch } from './panel-fetch.ts';

const retry = { attempts: 3, base_ms: 250, max_ms: 2_000 };

/** The coordinator's API, as the signed-in person. */
export const coordinator = createClient({ url: location.origin, fetch: coordinatorFetch, retry });
/** What the panel does by itself: signing in, people, sessions. */
export const panel = createPanelClient({ url: location.origin, fetch: panelFetch, retry });
