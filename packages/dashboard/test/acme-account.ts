/** Accounts of ACME clients, made as clients make them. */
import { createClient } from '@meshwork/client';
import { type AcmeAccount, utc, WHOLE_MESH } from '@meshwork/contract';
import { AcmeClient } from '@meshwork/panel/testing';
import type { Scene } from './scene.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A valid account that acts as a token of this name. */
export async function anAcmeAccount({ client, panel }: Scene, name = 'renewals'): Promise<AcmeAccount> {
  const find = async () => {
    const { items } = (await client.call('acme.accounts', { query: { state: 'valid' } })).body;
    return items.find(({ token }) => token.name === name);
  };
  const known = await find();
  if (known !== undefined) return known;
  const expires = utc(panel.clock.now() + 90 * DAY_MS);
  const token = await client.call('tokens.create', { body: { name, role: 'operator', scope: WHOLE_MESH, expires } });
  const binding = await createClient({ url: panel.coordinator.url, token: token.body.secret }).call('acme.bind');
  const { status, text } = await new AcmeClient(panel.coordinator).newAccount(binding.body, {
    contact: [`mailto:${name}@example.org`],
  });
  const made = await find();
  if (made === undefined) throw new Error(`The account could not be made: ${status} ${text}`);
  return made;
}
