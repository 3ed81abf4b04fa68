/** Writes the tables that the client calls by. */
import { JSONC_TYPE } from '../areas/acls/vocabulary.ts';
import type { HttpOperation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { PANEL_OPERATIONS } from '../panel/panel-operations.ts';
import type { WireOperation } from './wire-operation.ts';

const JSON_TYPE = 'application/json';

export function wireSource(): string {
  return `/** Written by \`npm run generate\` from the tables of operations. */
import type { OperationId } from '../../operations.ts';
import type { PanelOperationId } from '../../panel/panel-operations.ts';
import type { WireOperation } from '../wire-operation.ts';

export const WIRE_OPERATIONS: Readonly<Record<OperationId, WireOperation>> = ${tableSource(OPERATIONS)};

export const PANEL_WIRE_OPERATIONS: Readonly<Record<PanelOperationId, WireOperation>> = ${tableSource(PANEL_OPERATIONS)};
`;
}

function tableSource(table: Readonly<Record<string, HttpOperation>>): string {
  const rows = Object.entries(table).map(([id, operation]) => `  '${id}': ${rowSource(wireOperation(operation))},\n`);
  return `{\n${rows.join('')}}`;
}

export function wireOperation({ method, path, body, text, repeatable, answer }: HttpOperation): WireOperation {
  if (text !== undefined && !text.includes(JSONC_TYPE)) throw new Error(`${path} takes a text that no client sends`);
  const usual = answer.binary === true ? answer.also?.[0]?.type : answer.type;
  const type = answer.schema === undefined ? null : (usual ?? JSON_TYPE);
  return {
    method,
    path,
    ...(body === undefined ? {} : { body: text === undefined ? 'json' : 'text' }),
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(type === JSON_TYPE ? {} : { answer: type }),
    ...(answer.also === undefined ? {} : { also: answer.also.map((other) => other.type) }),
  };
}

function rowSource(row: WireOperation): string {
  const members = Object.entries(row).map(([name, value]) => `${name}: ${valueSource(value)}`);
  return `{ ${members.join(', ')} }`;
}

function valueSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueSource).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}
