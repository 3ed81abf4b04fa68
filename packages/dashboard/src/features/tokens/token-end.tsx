import type { Token } from '@meshwork/contract';
import { Ago } from '../../ui/moment.tsx';

type Ending = Pick<Token, 'expires' | 'retires_at' | 'revoked_at' | 'state' | 'uses_left'>;

/** When the token stops, or stopped, being good: whichever of its ends comes first. One for nodes that have all come is as good as over. */
export function TokenEnd({ token }: { readonly token: Ending }) {
  if (token.state === 'active' && token.uses_left === 0) return 'Used up';
  return <Ago at={endOf(token)} />;
}

function endOf({ expires, retires_at, revoked_at }: Ending): string {
  if (revoked_at !== null) return revoked_at;
  return retires_at !== null && Date.parse(retires_at) < Date.parse(expires) ? retires_at : expires;
}
