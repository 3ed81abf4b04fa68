import { personOf } from '../../callers/caller.ts';
import { groupsOf } from '../../users/groups.ts';
import type { Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';

/** Lets a person into a service whose gateway sent the browser here. The coordinator decides, and says where the browser goes. */
export async function enterService(
  { entries }: Pick<PanelParts, 'entries'>,
  call: Call<'auth.enter'>,
): Promise<Reply<'auth.enter'>> {
  const { user } = personOf(call);
  const { hostname, state, to = '/' } = call.body;
  const { pass, url } = await entries.pass({
    user,
    hostname,
    state,
    groups: groupsOf(user.body),
    address: call.address,
  });
  const back = new URL(url);
  back.search = new URLSearchParams({ pass, to }).toString();
  return { body: { url: back.href } };
}
