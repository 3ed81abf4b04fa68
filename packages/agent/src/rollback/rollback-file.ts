import { arrayOf, firewallSectionShape, integer, object, type Shape, string } from '@meshwork/contract/answers';
import { StateFile, type StateFileOptions } from '../identity/state-file.ts';
import { STATE_FILES } from '../identity/state-folder.ts';
import { PART_NAMES, type PartName } from './host-parts.ts';
import type { RollbackState } from './rollback-state.ts';

/**
 * What was proven and what was refused, so that an agent that is killed does not start with a configuration that cuts it
 * off, nor tries a refused one again. Changes are rare, so each is written at once. Without the file the agent goes on
 * with the view that it has.
 */
export function rollbackFile(options: StateFileOptions): StateFile<RollbackState> {
  return new StateFile(options, { file: STATE_FILES.rollback, name: 'rollback state', shape: STATE });
}

const texts = arrayOf(string);

const VALUES: Readonly<Record<PartName, Shape>> = {
  names: arrayOf(object({ name: string, addresses: texts })),
  network: object({ addresses: texts, networks: texts, forwarded: texts }),
  routes: texts,
  egress: firewallSectionShape,
};
const refusal = object({ text: string, revision: integer, at: string });
const STATE = object({
  proven: object(each((part) => object({ value: VALUES[part], revision: integer, digest: string }))),
  refused: object(
    each(() => refusal),
    PART_NAMES,
  ),
});

function each(shapeOf: (part: PartName) => Shape): Readonly<Record<string, Shape>> {
  return Object.fromEntries(PART_NAMES.map((part) => [part, shapeOf(part)]));
}
