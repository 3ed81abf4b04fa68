/**
 * The browser needs of each operation where it is and how to speak to it, and neither its schemas nor its description: those
 * are most of the contract, and would be half of the first page. For the build alone, this replaces the two tables by what
 * the client reads of them, evaluated now. Types and imports are untouched; while one works on the dashboard, so is the rest.
 */
import { type HttpOperation, OPERATIONS, PANEL_OPERATIONS } from '@meshwork/contract';
import type { Plugin } from 'vite';

/** What is replaced: the file, and the table in it. */
const TABLES: Readonly<Record<string, readonly [name: string, table: Readonly<Record<string, HttpOperation>>]>> = {
  'contract/src/operations.ts': ['OPERATIONS', OPERATIONS],
  'contract/src/panel/panel-operations.ts': ['PANEL_OPERATIONS', PANEL_OPERATIONS],
};

export function slimContract(): Plugin {
  return {
    name: 'slim-contract',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/contract/src/')) return undefined;
      const slim = slimTable(code, id);
      return { code: markPure(slim, callsWhileLoading(this.parse(slim, { lang: 'ts' }))), map: null };
    },
  };
}

/**
 * The contract does nothing when it is loaded but make what it exports. The bundler has to be told so: by itself it keeps
 * every schema that nobody uses, because calling a function might do something.
 */
function markPure(code: string, calls: readonly number[]): string {
  let [marked, last] = ['', 0];
  for (const call of calls.toSorted((a, b) => a - b)) {
    marked += `${code.slice(last, call)}/* @__PURE__ */ `;
    last = call;
  }
  return marked + code.slice(last);
}

/** Where the calls begin that run when the module is loaded, rather than when one of its functions is. */
function callsWhileLoading(node: unknown): readonly number[] {
  if (Array.isArray(node)) return node.flatMap(callsWhileLoading);
  if (typeof node !== 'object' || node === null) return [];
  const { type, start } = node as { readonly type?: unknown; readonly start?: unknown };
  if (typeof type === 'string' && /Function|Class|^TS(?!As|Satisfies)/.test(type)) return [];
  const own = (type === 'CallExpression' || type === 'NewExpression') && typeof start === 'number' ? [start] : [];
  return [...own, ...Object.values(node).flatMap(callsWhileLoading)];
}

function slimTable(code: string, id: string): string {
  const [, table] = Object.entries(TABLES).find(([file]) => id.endsWith(file)) ?? [];
  if (table === undefined) return code;
  const [name, rows] = table;
  const start = code.indexOf(`export const ${name} = {`);
  const end = code.indexOf('\n} as const satisfies', start);
  if (start < 0 || end < 0) throw new Error(`${id} no longer has the table ${name} as it had`);
  const slim = Object.fromEntries(Object.entries(rows).map(([operation, row]) => [operation, slimRow(row)]));
  return `${code.slice(0, start)}export const ${name} = ${JSON.stringify(slim).slice(0, -1)}${code.slice(end)}`;
}

/** Of a schema the client only asks whether there is one. */
function slimRow({ method, path, body, text, repeatable, versioned, answer }: HttpOperation): object {
  const { status, type, also, schema } = answer;
  return {
    method,
    path,
    ...(body === undefined ? {} : { body: {} }),
    ...(text === undefined ? {} : { text }),
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(versioned === undefined ? {} : { versioned }),
    answer: {
      status,
      ...(type === undefined ? {} : { type }),
      ...(also === undefined ? {} : { also: also.map((one) => ({ type: one.type })) }),
      ...(schema === undefined ? {} : { schema: {} }),
    },
  };
}
