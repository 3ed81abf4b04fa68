/** For property tests of what refuses a record: what it says, and that it says it of something that is there. */
import assert from 'node:assert/strict';
import { type FieldError, MeshError } from '@meshwork/contract';

/** What is said of a record, or nothing. Anything but a refusal is a bug. */
export function faultsFrom<T>(ensureSound: (subject: T) => void, subject: T): readonly FieldError[] {
  try {
    ensureSound(subject);
    return [];
  } catch (error) {
    assert.ok(error instanceof MeshError, String(error));
    assert.equal(error.code, 'invalid');
    return error.errors ?? [];
  }
}

/** Each names something that the record has, and gives its reason once. */
export function assertFaultsAreOf(subject: unknown, faults: readonly FieldError[]): void {
  for (const { pointer, detail } of faults) {
    assert.notEqual(at(subject, pointer), undefined, pointer);
    assert.match(detail, /\S/);
  }
  const said = faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
  assert.equal(new Set(said).size, said.length, said.join('\n'));
}

function at(subject: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], subject);
}
