import type { Condition, Explanation, FamilyVerdict, Verdict } from './explanation.ts';
import { mergeFixes } from './fixes.ts';
import { walk } from './walk.ts';
import { addressOf, type Way } from './way.ts';

const BADNESS: Readonly<Record<Verdict, number>> = { allowed: 0, unknown: 1, denied: 2 };

/**
 * A name stands for every address that it resolves to on the source, and the program there takes one of them: IPv6 first, if
 * both ends have it. So where the families differ, there is no one verdict.
 */
export function walkFamilies(way: Way, families: readonly (4 | 6)[]): Explanation {
  const [preferred, ...others] = families.toSorted((a, b) => b - a).map((family) => walked({ ...way, family }));
  const [other] = others;
  if (preferred === undefined) throw new Error('The destination has no address.');
  if (other === undefined) return preferred.answer;
  const each = [other, preferred].map(({ verdict }) => verdict);
  const fix = mergeFixes(preferred.answer.fix, other.answer.fix);
  if (other.answer.verdict === preferred.answer.verdict) {
    const conditions = joined(preferred.answer.conditions, other.answer.conditions);
    return { ...preferred.answer, fix, conditions, families: each };
  }
  const isOtherWorse = BADNESS[other.answer.verdict] > BADNESS[preferred.answer.verdict];
  const worse = isOtherWorse ? other : preferred;
  return {
    ...worse.answer,
    verdict: 'unknown',
    reason: `It depends on the address family: ${each.map(familyWords).join(', ')}.`,
    fix,
    families: each,
    conditions: [],
  };
}

interface Walked {
  readonly answer: Explanation;
  readonly verdict: FamilyVerdict;
}

function walked(way: Way): Walked {
  const answer = walk(way);
  const address = (way.target && addressOf(way.target, way)) ?? '';
  const { verdict, reason } = answer;
  return { answer, verdict: { family: way.family, address, verdict, reason } };
}

function familyWords({ family, verdict, reason }: FamilyVerdict): string {
  if (verdict === 'allowed') return `IPv${family} is allowed`;
  return `IPv${family} is ${verdict} (${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')})`;
}

function joined(some: readonly Condition[], more: readonly Condition[]): readonly Condition[] {
  const isNew = ({ node, rule }: Condition) => !some.some((one) => one.node === node && one.rule === rule);
  return [...some, ...more.filter(isNew)];
}
