import { type Html, html, prose } from './html.ts';
import { type Row, table } from './table.ts';
import { limitsText, type Schema, typeText } from './type-text.ts';

export interface Field {
  readonly name: string;
  /** What leads to it: `scope.` for the `team` of a scope, `items[].` for what is in every item. */
  readonly within: string;
  readonly depth: number;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The fields of a schema and, right below each, the fields inside it. */
export function fieldsOf(schema: Schema, within = '', depth = 0): readonly Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { name, within, depth, required: required.has(name), schema: field },
    ...fieldsInside(field, `${within}${name}`, depth + 1),
  ]);
}

function fieldsInside(schema: Schema, path: string, depth: number): readonly Field[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((choice) => fieldsInside(choice, path, depth));
  if (schema.items !== undefined) return fieldsInside(schema.items, `${path}[]`, depth);
  const entries = Object.values(schema.patternProperties ?? {}).flatMap((entry) =>
    fieldsInside(entry, `${path}.*`, depth),
  );
  return [...fieldsOf(schema, `${path}.`, depth), ...entries];
}

/** A schema that is no object has no fields, but may be a list of things that have. */
export function topFieldsOf(schema: Schema): readonly Field[] {
  return schema.items === undefined ? fieldsOf(schema) : fieldsInside(schema, '', 0);
}

/** Callers of a request must know which fields they may leave out and what is taken; readers of an answer need neither. */
export function fieldTable(
  side: 'request' | 'answer',
  fields: readonly Field[],
  title: { readonly caption: string; readonly plain?: boolean },
): Html {
  return table({
    ...title,
    kind: 'fields',
    head: ['Name', 'Type', 'Meaning'],
    rows: fields.map(
      (field): Row => ({
        depth: field.depth,
        cells: [nameCell(field, side), typeCell(field, side), meaningOf(field.schema)],
      }),
    ),
  });
}

function nameCell({ name, within, required }: Field, side: 'request' | 'answer'): Html {
  const needed = side === 'request' && required ? html` <span class="needed">required</span>` : undefined;
  const optional = side === 'answer' && !required ? html` <span class="needed">may be absent</span>` : undefined;
  const path = within === '' ? undefined : html`<span class="within">${within}</span>`;
  return html`<code>${path}${name}</code>${needed}${optional}`;
}

function typeCell({ schema }: Field, side: 'request' | 'answer'): Html {
  const limits = side === 'request' ? limitsText(schema) : undefined;
  return html`${typeText(schema)}${limits === undefined ? undefined : html` <span class="aside">${limits}</span>`}`;
}

function meaningOf(schema: Schema): Html {
  return prose(schema.description ?? schema.anyOf?.find((choice) => choice.description !== undefined)?.description);
}
