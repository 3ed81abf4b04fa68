import { Failure } from './failure.ts';

/** A list that replaces the one before. Nothing at all is more often forgotten than meant, so it has to be said. */
export function orNone(given: string[], none: boolean | undefined, what: string): string[] {
  if ((given.length === 0) === (none === true)) return given;
  const message = given.length === 0 ? `name the ${what}, or say --none` : `--none and ${what} exclude each other`;
  throw new Failure(message, { exit: 'usage', code: 'usage' });
}
