import { integer, object, type Shape, string } from '@meshwork/contract/answers';
import { StateFile, type StateFileOptions } from '../identity/state-file.ts';
import { STATE_FILES } from '../identity/state-folder.ts';
import type { GuardedPart } from './guarded-part.ts';
import type { RollbackState } from './rollback-state.ts';

/**
 * What was proven and what was refused, so that an agent that is killed does not start with a configuration that cuts it
 * off, nor tries a refused one again. Changes are rare, so each is written at once. Without the file the agent goes on
 * with the view that it has.
 */
export function rollbackFile(options: StateFileOptions, parts: readonly GuardedPart[]): StateFile<RollbackState> {
  return new StateFile(options, { file: STATE_FILES.rollback, name: 'rollback state', shape: stateOf(parts) });
}

const refusal = object({ text: string, revision: integer, at: string });

function stateOf(parts: readonly GuardedPart[]): Shape {
  const each = (shapeOf: (part: GuardedPart) => Shape) =>
    Object.fromEntries(parts.map((part) => [part.name, shapeOf(part)]));
  const proven = object(each(({ shape }) => object({ value: shape, revision: integer, digest: string })));
  const names = parts.map(({ name }) => name);
  const refused = object(
    each(() => refusal),
    names,
  );
  return object({ proven, refused });
}
