interface Version {
  readonly numbers: readonly string[];
  /** Empty: a release. */
  readonly pre: readonly string[];
}

/** Dotted numbers with an optional pre-release: `1.4.0`, `1.4`, `2.0.0-rc.1`. */
export function isVersion(text: string): boolean {
  return parseVersion(text) !== undefined;
}

/**
 * Below zero when `a` is older than `b`, as semver has it: by number, and a pre-release before its release. A missing
 * number is zero, and what stands behind a `+` does not count. A text that is no version is older than every version, so
 * that an agent that calls itself `dev` never passes for a recent one.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let index = 0; index < length; index++) {
    const order = compareNumbers(left.numbers[index] ?? '0', right.numbers[index] ?? '0');
    if (order !== 0) return order;
  }
  return comparePre(left.pre, right.pre);
}

function parseVersion(text: string): Version | undefined {
  if (text.length > 64) return undefined;
  const [, numbers, pre] =
    /^(\d+(?:\.\d+)*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text) ?? [];
  return numbers === undefined ? undefined : { numbers: numbers.split('.'), pre: pre?.split('.') ?? [] };
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(b.length > 0) - Number(a.length > 0);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareIdentifiers(a[index] ?? '', b[index] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before words. */
function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return compareNumbers(a, b);
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

/** Null: the version is not known, and so does not suffice. */
export function isAtLeast(version: string | null, minimum: string): boolean {
  return version !== null && compareVersions(version, minimum) >= 0;
}

/** Of digits, however many: a date as a version is longer than what a double holds exactly. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
