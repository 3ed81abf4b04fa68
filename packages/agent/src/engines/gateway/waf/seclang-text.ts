/**
 * The only place that puts values into the syntax of ModSecurity. A value of a record becomes a pattern in which every character that
 * could mean something is written by its number, or it is refused: none can end its quotes, its action or its rule, begin a macro
 * (`%{…}`), or be taken for an operator.
 */

interface SecRule {
  readonly id: number;
  readonly phase: 1 | 2 | 3 | 4 | 5;
  /** All of them have to match. */
  readonly when: readonly [Test, ...Test[]];
  /** What this program says, or what `quotedText` made. */
  readonly actions: readonly string[];
  /** What is set once all of them match. The engine does what a test says as soon as that one does: it stands with the last. */
  readonly effects?: readonly string[];
}

export interface Test {
  /** Made by `seclang-parts.ts`, or a literal of this program. */
  readonly variables: string;
  /** `@rx …`. Patterns are made by `literally` and `patternOf`. */
  readonly operator: string;
  readonly transforms?: readonly string[];
}

/** One rule a line. */
export function secRule({ id, phase, when, actions, effects = [] }: SecRule): string {
  const lines = when.map((test, index) => {
    const head = index === 0 ? [`id:${id}`, `phase:${phase}`, ...actions] : [];
    return ruleText(test, [...head, ...(index + 1 === when.length ? effects : ['chain'])]);
  });
  return lines.join('\n');
}

export function secAction(id: number, phase: number, actions: readonly string[]): string {
  return `SecAction "${[`id:${id}`, `phase:${phase}`, ...actions].join(',')}"`;
}

export function secMarker(name: string): string {
  return `SecMarker ${name}`;
}

function ruleText({ variables, operator, transforms = [] }: Test, actions: readonly string[]): string {
  const all = [...actions, 't:none', ...transforms.map((name) => `t:${name}`)];
  return `SecRule ${variables} "${operator}" "${all.join(',')}"`;
}

/** A pattern that matches this text and no other. */
export function literally(text: string): string {
  refuseUnreadable(text);
  return text.replaceAll(/[^A-Za-z0-9_-]/g, numbered);
}

/**
 * A pattern of an operator, apart from what stands around it. Lines mean nothing in it: with them, a value of several lines would
 * pass for one of them. A quote and a `%` are written by their numbers.
 */
export function patternOf(pattern: string): string {
  refuseUnreadable(pattern);
  const safe = pattern.replaceAll(/\\(.)|\\$|["%]/g, (piece, escaped: string | undefined) => {
    if (piece === '\\') throw new Error(`${JSON.stringify(pattern)} is no pattern: it ends with a backslash`);
    if (escaped === 'Q') throw new Error(`${JSON.stringify(pattern)} cannot be used: it has \\Q in it`);
    if (escaped === undefined) return numbered(piece);
    return /["%]/.test(escaped) ? numbered(escaped) : piece;
  });
  return `(?-m:${safe})`;
}

/** For `msg`: letters, digits and what `WafRuleName` allows beside them. */
export function quotedText(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9 ._-]*$/.test(text)) throw new Error(`${JSON.stringify(text)} is no name of a rule`);
  return `'${text}'`;
}

function numbered(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function refuseUnreadable(text: string): void {
  const [strange] = /[^\x20-\x7e]/.exec(text) ?? [];
  if (strange !== undefined) throw new Error(`${JSON.stringify(text)} has ${JSON.stringify(strange)} in it`);
}
