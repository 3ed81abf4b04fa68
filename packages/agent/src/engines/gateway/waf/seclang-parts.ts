/** The parts of a request, as ModSecurity names them, and as its records do. */
import type { WafParameter } from '@meshwork/contract';

type Part = WafParameter['part'];

/** The first is for rules of operators. Rules of the rule set look at any of them. */
const COLLECTIONS: Readonly<Record<Part, readonly string[]>> = {
  argument: ['ARGS', 'ARGS_GET', 'ARGS_POST'],
  file: ['FILES', 'FILES_NAMES'],
  header: ['REQUEST_HEADERS'],
  cookie: ['REQUEST_COOKIES'],
  argument_names: ['ARGS_NAMES', 'ARGS_GET_NAMES', 'ARGS_POST_NAMES'],
  header_names: ['REQUEST_HEADERS_NAMES'],
  cookie_names: ['REQUEST_COOKIES_NAMES'],
  method: ['REQUEST_METHOD'],
  path: ['REQUEST_FILENAME', 'REQUEST_BASENAME'],
  query: ['QUERY_STRING'],
  uri: ['REQUEST_URI', 'REQUEST_URI_RAW'],
  body: ['REQUEST_BODY'],
  address: ['REMOTE_ADDR'],
};

/** Known before the body of a request was read. */
const OF_HEADERS: readonly Part[] = [
  'header',
  'cookie',
  'header_names',
  'cookie_names',
  'method',
  'path',
  'query',
  'uri',
  'address',
];
const WITH_NAMES: readonly Part[] = ['argument', 'file', 'header', 'cookie'];
const NAME = /^[A-Za-z0-9_.[\]-]{1,100}$/;

export function isKnownBeforeBody({ part }: WafParameter): boolean {
  return OF_HEADERS.includes(part);
}

export function isCollection({ part }: WafParameter): boolean {
  return part.endsWith('_names') || WITH_NAMES.includes(part);
}

/** Where a rule of an operator looks. */
export function variableOf({ part, name }: WafParameter): string {
  const [first] = COLLECTIONS[part] ?? [];
  if (first === undefined) throw new Error(`${JSON.stringify(part)} is no part of a request`);
  return name === null ? first : `${first}:${checked(part, name)}`;
}

/** All that rules of the rule set may call it. The engine compares names of what is left out as they are written. */
export function targetsOf({ part, name }: WafParameter): readonly string[] {
  const collections = COLLECTIONS[part] ?? [];
  if (name === null) return collections;
  const known = checked(part, name);
  const names = part === 'header' ? new Set([known, known.toLowerCase(), capitalized(known)]) : [known];
  return collections.flatMap((collection) => [...names].map((one) => `${collection}:${one}`));
}

/** What `REQUEST_HEADERS:Host` of a record is. Null: no part that an exclusion could name. */
export function parameterOf(variable: string): WafParameter | null {
  const [, collection = '', name] = /^([A-Z_]+)(?::([\s\S]*))?$/.exec(variable) ?? [];
  const found = Object.entries(COLLECTIONS).find(([, all]) => all.includes(collection));
  if (found === undefined) return null;
  const part = found[0] as Part;
  if (!WITH_NAMES.includes(part)) return { part, name: null };
  return name !== undefined && NAME.test(name) ? { part, name } : null;
}

function checked(part: Part, name: string): string {
  if (WITH_NAMES.includes(part) && NAME.test(name)) return name;
  throw new Error(`${JSON.stringify(name)} is no name of ${JSON.stringify(part)}`);
}

function capitalized(name: string): string {
  return name.toLowerCase().replaceAll(/(?:^|-)[a-z]/g, (piece) => piece.toUpperCase());
}
