import { FirewallSection } from '@meshwork/contract';
import { type Shape, shapeOf } from '../conversation/answer-shape.ts';
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

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const integer = { type: 'integer' };

const VALUES: Readonly<Record<PartName, object>> = {
  names: { type: 'array', items: record({ name: text, addresses: texts }) },
  network: record({ addresses: texts, networks: texts, forwarded: texts }),
  routes: texts,
  egress: FirewallSection,
};
const refusal = record({ text, revision: integer, at: text });
const STATE: Shape = shapeOf(
  record({
    proven: record(each((part) => record({ value: VALUES[part], revision: integer, digest: text }))),
    refused: { type: 'object', properties: each(() => refusal) },
  }),
);

function record(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function each(schemaOf: (part: PartName) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(PART_NAMES.map((part) => [part, schemaOf(part)]));
}
