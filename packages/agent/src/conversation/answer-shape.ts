/**
 * Whether an answer has the shape that the contract gives it: which fields there are, and of which kind each is. What stands
 * in them is looked at by whoever uses it. What the contract does not know yet passes: a newer coordinator may say more.
 */
import { ApiError } from '@meshwork/client';

/** As much of a JSON schema as matters to a shape. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

/** Undefined: all is well. Otherwise where and what is wrong: `/peers/full/0 is no object`. What came is not repeated. */
export type Shape = (value: unknown) => string | undefined;

/** Made once for a schema: ten thousand records are then looked at in a few milliseconds. */
export function shapeOf(schema: object): Shape {
  const { type, properties = {}, required = [], items, anyOf, enum: values } = schema as Schema;
  if (anyOf !== undefined) return oneOf(anyOf.map(shapeOf));
  if (values !== undefined)
    return (value) => (typeof value === typeof values[0] ? undefined : ` is no ${typeof values[0]}`);
  if (type === 'object') return objectOf(properties, required);
  if (type === 'array') return arrayOf(shapeOf(items ?? {}));
  const is = type === undefined ? undefined : KINDS[type];
  return (value) => (is === undefined || is(value) ? undefined : ` is no ${type}`);
}

/** Throws what a client throws for an answer that is none. */
export function checkShape(shape: Shape, answer: unknown, what: string): void {
  const problem = shape(answer);
  if (problem === undefined) return;
  const detail = `the coordinator answered ${what} with something that makes no sense: ${problem.trimStart()}`;
  throw new ApiError({ status: 200, code: 'unexpected_answer', detail, retryable: true, request_id: null });
}

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  null: (value) => value === null,
};

function oneOf(shapes: readonly Shape[]): Shape {
  return (value) => {
    let problem: string | undefined;
    for (const shape of shapes) {
      const found = shape(value);
      if (found === undefined) return undefined;
      problem ??= found;
    }
    return problem;
  };
}

function objectOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Shape {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, shapeOf(schema), required.includes(name)] as const,
  );
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' is no object';
    for (const [name, shape, isRequired] of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      if (field === undefined && !isRequired) continue;
      const problem = field === undefined ? ' is missing' : shape(field);
      if (problem !== undefined) return `/${name}${problem}`;
    }
    return undefined;
  };
}

function arrayOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return ' is no array';
    for (let index = 0; index < value.length; index++) {
      const problem = shape(value[index]);
      if (problem !== undefined) return `/${index}${problem}`;
    }
    return undefined;
  };
}
