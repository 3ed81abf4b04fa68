import { counted } from '../document/problems.ts';
import type { Target } from '../document/target.ts';
import { opens } from '../explain/wanted.ts';
import { listed } from '../explain/wording.ts';
import type { Side } from './mesh-sides.ts';
import type { Tallies } from './tallies.ts';
import type { Tally } from './tally.ts';

interface Pairs {
  readonly tallies: Tallies;
  readonly source: Side;
  readonly destination: Side;
  readonly target: Target;
  readonly expected: 'allow' | 'deny';
}

/** Beyond these only the number counts. */
const MOST_NAMED = 3;

/** What does not hold, in words. Undefined: all of it holds. */
export function checkPairs({ tallies, source, destination, target, expected }: Pairs): string | undefined {
  const { tallies: all, named } = tallies.between(source, destination, target.name);
  const wrong = all.filter((tally) => isOpen(tally, target, expected) !== (expected === 'allow'));
  const count = wrong.reduce((sum, tally) => sum + tally.count, 0);
  if (count === 0) return undefined;
  const first = [...Iterator.from(named(new Set(wrong))).take(MOST_NAMED)];
  const what = target.protocol === 'icmp' ? 'icmp' : `${target.protocol}:${target.port}`;
  const said = expected === 'allow' ? 'Nothing allows' : 'A grant allows';
  const more = count - first.length;
  const rest = more === 0 ? [] : [`for ${counted(more)} more ${more === 1 ? 'pair' : 'pairs'}`];
  return `${said} ${what} ${listed([...first.map((pair) => `from ${pair}`), ...rest])}.`;
}

/** Of several ways that are as near, for `allow` all have to let it through, for `deny` none may. */
function isOpen({ ways }: Tally, target: Target, expected: 'allow' | 'deny'): boolean {
  const isOpenOn = (allows: Tally['ways'][number]) => opens(allows, target);
  return expected === 'allow' ? ways.length > 0 && ways.every(isOpenOn) : ways.some(isOpenOn);
}
