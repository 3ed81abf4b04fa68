/** Asks the browser for a passkey. Only here and in the profile is the library for it loaded. */
import { startAuthentication } from '@simplewebauthn/browser';
import { panel } from '../api/clients.ts';

type OptionsJSON = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** What `navigator.credentials.get` gave, for the panel to verify. */
export async function askForPasskey(): Promise<Record<string, unknown>> {
  const { body } = await panel.call('auth.passkey_options', { body: {} });
  const response = await startAuthentication({ optionsJSON: body as unknown as OptionsJSON });
  return { ...response };
}
