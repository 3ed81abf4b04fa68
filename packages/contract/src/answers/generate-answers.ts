/** Writes the shapes of what an agent reads, so that it needs neither the schemas nor a program that interprets them. */
import { NodeSession } from '../areas/agents/index.ts';
import { HeartbeatReply } from '../heartbeat/heartbeat.ts';
import { FirewallSection } from '../heartbeat/section-contents.ts';
import { nameOf } from '../named.ts';
import type { TSchema } from '../type.ts';

/** What an agent reads: answers, and what it keeps of them in files. */
const READ_BY_AGENTS: readonly TSchema[] = [HeartbeatReply, NodeSession, FirewallSection];

export function answersSource(): string {
  const shapes = shapeWriter();
  for (const schema of READ_BY_AGENTS) shapes.write(schema);
  const words = [...shapes.words].sort();
  return `/** Written by \`npm run generate\` from the schemas of what an agent reads. */
import { ${words.join(', ')} } from '../shape.ts';

${shapes.declared.map(({ name, source }) => `${isRead(name) ? 'export ' : ''}const ${constantOf(name)} = ${source};\n`).join('\n')}`;
}

function isRead(name: string): boolean {
  return READ_BY_AGENTS.some((schema) => nameOf(schema) === name);
}

function constantOf(name: string): string {
  return `${name[0]?.toLowerCase()}${name.slice(1)}Shape`;
}

/** As much of a JSON schema as matters to a shape. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  number: 'number',
  integer: 'integer',
  null: 'nothing',
};

interface ShapeWriter {
  /** An expression that makes the shape. A schema with a name becomes a constant of that name. */
  write(schema: object): string;
  /** The named ones, each after those that it uses. */
  readonly declared: readonly { readonly name: string; readonly source: string }[];
  /** What the expressions use of `shape.ts`. */
  readonly words: ReadonlySet<string>;
}

export function shapeWriter(): ShapeWriter {
  const declared: { name: string; source: string }[] = [];
  const words = new Set<string>();
  const word = (name: string) => {
    words.add(name);
    return name;
  };

  function write(schema: object): string {
    const name = nameOf(schema);
    if (name === undefined) return expression(schema, ' ');
    if (!declared.some((one) => one.name === name)) {
      const source = expression(schema, '\n'); // before it stands in the list: what it uses comes first
      declared.push({ name, source });
    }
    return constantOf(name);
  }

  function expression(
    { type, properties = {}, required = [], items, anyOf, enum: values }: Schema,
    space: ' ' | '\n',
  ): string {
    if (anyOf !== undefined) return `${word('oneOf')}(${anyOf.map(write).join(', ')})`;
    if (values !== undefined) return word(kindOf(typeof values[0]));
    if (type === 'array') return `${word('arrayOf')}(${items === undefined ? word('anything') : write(items)})`;
    if (type === 'object') return objectExpression(properties, required, space);
    return type === undefined ? word('anything') : word(kindOf(type));
  }

  function objectExpression(
    properties: Readonly<Record<string, Schema>>,
    required: readonly string[],
    space: ' ' | '\n',
  ): string {
    const members = Object.entries(properties).map(([name, schema]) => `${name}: ${write(schema)}`);
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    const rest = optional.length === 0 ? '' : `, [${optional.map((name) => `'${name}'`).join(', ')}]`;
    const body = space === ' ' ? ` ${members.join(', ')} ` : members.map((member) => `\n  ${member},`).join('') + space;
    return `${word('object')}({${members.length === 0 ? '' : body}}${rest})`;
  }

  return { write, declared, words };
}

function kindOf(type: string): string {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`no shape for the type ${type}`);
  return kind;
}
