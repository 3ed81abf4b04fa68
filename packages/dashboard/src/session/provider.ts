import { panel } from '../api/clients.ts';

/** Leaves for the provider, which brings the browser back to `return_to`, signed in. */
export async function goToProvider(return_to: string): Promise<void> {
  const { body } = await panel.call('auth.oidc_begin', { body: { return_to } });
  location.assign(body.url);
}
