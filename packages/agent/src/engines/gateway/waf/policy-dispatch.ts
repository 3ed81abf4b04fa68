/**
 * How a request finds the rules of its own policy among those of all. The engine walks through all that is loaded, and a test takes
 * it microseconds. So policies are halved again and again: a request passes by the half in which its policy is not.
 */
import { numberIn } from './rule-numbers.ts';
import { secAction, secMarker, secRule } from './seclang-text.ts';
import { isOneOfPolicies } from './transaction-id.ts';

interface Part {
  /** In its names. */
  readonly name: 'setting' | 'checking';
  readonly phases: readonly (1 | 2)[];
  /** The first of its own numbers in the range of each policy. */
  readonly from: number;
}

export const SETTING: Part = { name: 'setting', phases: [1], from: 10 };
export const CHECKING: Part = { name: 'checking', phases: [1, 2], from: 20 };

/** `rulesOf`: of one policy, by its place. None of them sees a request of another. */
export function dispatched<P extends { readonly id: string }>(
  { name, phases, from }: Part,
  policies: readonly P[],
  rulesOf: (policy: P, place: number) => readonly string[],
): readonly string[] {
  const end = `MESH_${name}_end`;
  /** In each phase. `kind`: 0 to 2. */
  const each = (make: (phase: 1 | 2, number: number) => string, kind: number) =>
    phases.map((phase, index) => make(phase, from + kind * phases.length + index));
  const unless = (some: readonly P[], place: number, kind: number, marker: string) =>
    each(
      (phase, number) =>
        secRule({
          id: numberIn(place, number),
          phase,
          when: [{ variables: 'UNIQUE_ID', operator: `!@rx ${isOneOfPolicies(some.map(({ id }) => id))}` }],
          actions: ['pass', 'nolog', `skipAfter:${marker}`],
        }),
      kind,
    );

  function branch(first: number, some: readonly P[]): readonly string[] {
    const [policy] = some;
    if (policy === undefined) return [];
    if (some.length === 1) return leaf(first, policy);
    const half = some.length >>> 1;
    const second = first + half; // of no other branch
    const marker = `MESH_${name}_from_${second}`;
    const left = some.slice(0, half);
    return [
      ...unless(left, second, 0, marker),
      ...branch(first, left),
      secMarker(marker),
      ...branch(second, some.slice(half)),
    ];
  }

  function leaf(place: number, policy: P): readonly string[] {
    const marker = `MESH_${name}_${place}`;
    const leave = (phase: 1 | 2, number: number) =>
      secAction(numberIn(place, number), phase, ['pass', 'nolog', `skipAfter:${end}`]);
    return [
      ...unless([policy], place, 1, marker), // it is held against each policy by itself, whatever the halves say
      ...rulesOf(policy, place),
      ...(policies.length > 1 ? each(leave, 2) : []),
      secMarker(marker),
    ];
  }

  return [...branch(0, policies), secMarker(end)];
}
