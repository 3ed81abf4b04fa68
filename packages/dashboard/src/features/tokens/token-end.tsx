import type { Token } from '@meshwork/contract';
import { Ago } from '../../ui/moment.tsx';

type Ending = Pick<Token, 'expires' | 'retires_at' | 'revoked_at'>;

/** When the token stops, or stopped, being good: whichever of its ends comes first. */
export function TokenEnd({ token }: { readonly token: Ending }) {
  return <Ago at={endOf(token)} />;
}

function endOf({ expires, retires_at, revoked_at }: Ending): string {
  if (revoked_at !== null) return revoked_at;
  return retires_at !== null && Date.parse(retires_at) < Date.parse(expires) ? retires_at : expires;
}
