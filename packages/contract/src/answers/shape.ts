/**
 * Whether a value has the shape that the contract gives it: which members there are, and of which kind each is. What the
 * values mean is checked where they are used. Members that the contract does not know pass: a newer coordinator may send more.
 *
 * Shapes of answers are generated from their schemas (`generate-answers.ts`); files of the agent's own are described by hand.
 */

/** Undefined: all is well. Otherwise where and what is wrong: `/peers/full/0 is no object`. The value is not repeated. */
export type Shape = (value: unknown) => string | undefined;

const kind =
  (name: string, is: (value: unknown) => boolean): Shape =>
  (value) =>
    is(value) ? undefined : ` is no ${name}`;

export const anything: Shape = () => undefined;
export const string = kind('string', (value) => typeof value === 'string');
export const boolean = kind('boolean', (value) => typeof value === 'boolean');
export const number = kind('number', Number.isFinite);
export const integer = kind('integer', Number.isSafeInteger);
export const nothing = kind('null', (value) => value === null);

/** The problem with the first one is reported when none fits. */
export function oneOf(...shapes: readonly Shape[]): Shape {
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

export function arrayOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return ' is no array';
    for (let index = 0; index < value.length; index++) {
      const problem = shape(value[index]);
      if (problem !== undefined) return `/${index}${problem}`;
    }
    return undefined;
  };
}

/** Members are looked at in this order. `optional`: those that may be absent. */
export function object(members: Readonly<Record<string, Shape>>, optional: readonly string[] = []): Shape {
  const fields = Object.entries(members).map(([name, shape]) => [name, shape, !optional.includes(name)] as const);
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
