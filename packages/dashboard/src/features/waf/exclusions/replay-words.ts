import type { WafReplay } from '@meshwork/contract';
import { plural } from '../../../ui/plural.ts';

/** What an exclusion would have done, in a sentence. */
export function replayWords({ events, whole, concerned, let_through }: WafReplay): string {
  if (events === 0) return 'No events of the policy are recorded, so it is not known what else it would let through.';
  const looked = `${plural(events, 'recorded event')}${whole ? '' : ' (the newest; there are older ones)'}`;
  if (let_through === 0)
    return `Of ${looked}, it concerns ${concerned}, and would have let no further request through.`;
  return `Of ${looked}, it concerns ${concerned}, and would have let ${plural(let_through, 'request')} through.`;
}
