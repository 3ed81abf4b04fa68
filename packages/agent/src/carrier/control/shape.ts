/** Shapes of what crosses the control socket: checked on both sides, and the types are those of what passed. */
export interface Shape<T> {
  /** Undefined: it fits. Else where it does not, and what would. */
  problem(value: unknown, at: string): string | undefined;
  /** Only for the type. */
  readonly type?: T;
}

export type TypeOf<S> = S extends Shape<infer T> ? T : never;

type Members = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<M extends Members> = {
  [K in keyof M]: undefined extends TypeOf<M[K]> ? K : never;
}[keyof M];
type ObjectOf<M extends Members> = {
  readonly [K in Exclude<keyof M, OptionalKeys<M>>]: TypeOf<M[K]>;
} & {
  readonly [K in OptionalKeys<M>]?: TypeOf<M[K]>;
};

/** Members that are not named are refused. */
export function object<M extends Members>(members: M): Shape<ObjectOf<M>> {
  return {
    problem: (value, at) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${at} is not an object`;
      const given = value as Readonly<Record<string, unknown>>;
      const unknown = Object.keys(given).find((name) => !Object.hasOwn(members, name));
      if (unknown !== undefined) return `${at} has an unknown member`;
      for (const name of Object.keys(members)) {
        const problem = members[name]?.problem(given[name], `${at}.${name}`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}

export function text(max: number, pattern = /^/): Shape<string> {
  return {
    problem: (value, at) =>
      typeof value === 'string' && value.length <= max && pattern.test(value)
        ? undefined
        : `${at} is not a text of that form, of at most ${max} characters`,
  };
}

/** A text by the length that it has as UTF-8. */
export function utf8(min: number, max: number): Shape<string> {
  return {
    problem: (value, at) => {
      const bytes = typeof value === 'string' ? Buffer.byteLength(value) : -1;
      return bytes >= min && bytes <= max ? undefined : `${at} is not a text of ${min} to ${max} bytes`;
    },
  };
}

export function integer(min: number, max: number): Shape<number> {
  return {
    problem: (value, at) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? undefined
        : `${at} is not a whole number from ${min} to ${max}`,
  };
}

export const number: Shape<number> = {
  problem: (value, at) => (typeof value === 'number' && Number.isFinite(value) ? undefined : `${at} is not a number`),
};

export const flag: Shape<boolean> = {
  problem: (value, at) => (typeof value === 'boolean' ? undefined : `${at} is neither true nor false`),
};

export function word<const W extends string>(...words: readonly W[]): Shape<W> {
  return {
    problem: (value, at) => (words.some((one) => one === value) ? undefined : `${at} is none of ${words.join(', ')}`),
  };
}

export function list<T>(of: Shape<T>, max: number): Shape<readonly T[]> {
  return {
    problem: (value, at) => {
      if (!Array.isArray(value) || value.length > max) return `${at} is not a list of at most ${max}`;
      for (const [index, one] of value.entries()) {
        const problem = of.problem(one, `${at}[${index}]`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}

export function optional<T>(of: Shape<T>): Shape<T | undefined> {
  return { problem: (value, at) => (value === undefined ? undefined : of.problem(value, at)) };
}

export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return {
    problem: (value, at) => {
      const problem = one.problem(value, at);
      return problem === undefined || other.problem(value, at) === undefined ? undefined : problem;
    },
  };
}
