/** What one source file says to others: the modules it imports, the workers it starts, the environment it reads, the names it exports. */
import { parseSync, type Statement, Visitor } from 'oxc-parser';

export interface Reach {
  /** `starts` is a worker: it needs the file, but loads it into a module graph of its own. */
  readonly verb: 'imports' | 'starts' | 'reads';
  readonly specifier: string;
  readonly line: number;
  /** True: only types, as in `import type`. Nothing is loaded for it. */
  readonly types: boolean;
  /** What the file itself uses of it. `*`: everything. Empty: it only exports it again, or runs it. */
  readonly names: readonly string[];
}

export interface Exported {
  /** `*`: everything that another module exports. */
  readonly name: string;
  readonly line: number;
  /** Where it comes from. Absent: from this file. */
  readonly from?: { readonly specifier: string; readonly name: string };
}

const ALL: readonly string[] = ['*'];

interface Parsed {
  readonly reaches: readonly Reach[];
  readonly exports: readonly Exported[];
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

export function parseModule(path: string, source: string): Parsed {
  const { program, module, comments, errors } = parseSync(path, source);
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const reaches: Reach[] = [];
  const reach = (verb: Reach['verb'], specifier: string, offset: number, { types = false, names = ALL } = {}) => {
    reaches.push({ verb, specifier, line: lineOf(offset), types, names });
  };

  // One statement may show up many times (an entry for each exported name, an import that is exported again), always
  // with its request at the same place.
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
  ];
  const ofTypes = new Set(program.body.flatMap(typeRequest));
  const namesAt = new Map(
    module.staticImports.map(({ moduleRequest, entries }) => [
      moduleRequest.start,
      entries.map(({ importName }) => nameOf(importName)),
    ]),
  );
  for (const { value, start } of new Map(requests.map((request) => [request.start, request])).values()) {
    reach('imports', value, start, { types: ofTypes.has(start), names: namesAt.get(start) ?? [] });
  }

  new Visitor({
    ImportExpression({ source: from }) {
      const specifier = literal(from);
      if (specifier !== undefined) reach('imports', specifier, from.start);
    },
    // `let x: import('./x.ts').X`, which the module record does not list.
    TSImportType({ source: from }) {
      reach('imports', from.value, from.start, { types: true });
    },
    // `new Worker(new URL('./x.ts', import.meta.url))`. Other files (pages, fixtures) may lie anywhere.
    NewExpression({ callee, arguments: [from, base] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'URL' || from === undefined || base === undefined) return;
      const specifier = literal(from);
      if (specifier !== undefined && /\.tsx?$/.test(specifier)) reach('starts', specifier, from.start);
    },
  }).visit(program);

  for (const { index } of source.matchAll(/\bprocess\.env\b/g)) {
    const inComment = comments.some(({ start, end }) => start <= index && index < end);
    if (!inComment) reach('reads', 'process.env', index);
  }

  return {
    reaches: reaches.sort((a, b) => a.line - b.line),
    exports: module.staticExports.flatMap(({ start, entries }) =>
      entries.map(({ moduleRequest, importName, exportName }) => ({
        name: nameOf(exportName),
        line: lineOf(start),
        ...(moduleRequest == null ? {} : { from: { specifier: moduleRequest.value, name: nameOf(importName) } }),
      })),
    ),
    errors: errors.map(({ message, labels: [label] }) => ({ line: lineOf(label?.start ?? 0), message })),
  };
}

/** Neither a name nor the default: a namespace, a star, or a module as a whole. */
function nameOf({ kind, name }: { readonly kind: string; readonly name?: string | null }): string {
  if (kind === 'Default') return 'default';
  return kind === 'Name' ? (name ?? '*') : '*';
}

/** Where an `import type` or `export type` names its module. `import { type X }` is none: the module is loaded all the same. */
function typeRequest(statement: Statement): readonly number[] {
  if (statement.type === 'ImportDeclaration' && statement.importKind === 'type') return [statement.source.start];
  const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration';
  return isExport && statement.exportKind === 'type' && statement.source !== null ? [statement.source.start] : [];
}

interface Expression {
  readonly type: string;
  readonly value?: unknown;
  readonly expressions?: readonly unknown[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

/** The text of a string or of a template without holes. Undefined: it is computed at run time. */
function literal(expression: Expression): string | undefined {
  if (expression.type === 'Literal' && typeof expression.value === 'string') return expression.value;
  if (expression.type === 'TemplateLiteral' && expression.expressions?.length === 0) {
    return expression.quasis?.[0]?.value.cooked ?? undefined;
  }
  return undefined;
}
