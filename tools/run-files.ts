/**
 * The process of a test run: `run-files.ts --test-reporter=… a.test.ts b.test.ts`, with the options of `node --test` and
 * `--costliest=10`. That one sorts the files by their names; this one runs them in the order given, which `running-order.ts`
 * chooses. Options that it does not know go to the process of each file.
 */
import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import { dot, junit, lcov, spec, tap } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { showCostliest } from './costliest-files.ts';

const OPTIONS = {
  costliest: { type: 'string' },
  'test-concurrency': { type: 'string', default: '1' },
  'test-timeout': { type: 'string', default: 'Infinity' },
  'test-name-pattern': { type: 'string', multiple: true },
  'test-skip-pattern': { type: 'string', multiple: true },
  'test-only': { type: 'boolean' },
  'test-force-exit': { type: 'boolean' },
  'test-shard': { type: 'string' },
  'test-reporter': { type: 'string', multiple: true },
  'test-reporter-destination': { type: 'string', multiple: true },
} as const;

const { values, positionals, tokens } = parseArgs({
  options: OPTIONS,
  allowPositionals: true,
  strict: false,
  tokens: true,
});
const unknown = tokens.filter((token) => token.kind === 'option').filter(({ name }) => !Object.hasOwn(OPTIONS, name));
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const [index, total] = text(values['test-shard'])?.split('/').map(Number) ?? [];
const costliest = text(values.costliest);

const events = run({
  files: positionals,
  execArgv: [
    ...(costliest === undefined ? [] : showCostliest(Number(costliest))),
    '--experimental-webstorage', // tests of the dashboard keep drafts where a browser does
    ...unknown.map(({ rawName, value }) => (value === undefined ? rawName : `${rawName}=${value}`)),
  ],
  concurrency: Number(values['test-concurrency']),
  timeout: Number(values['test-timeout']),
  testNamePatterns: texts(values['test-name-pattern']),
  testSkipPatterns: texts(values['test-skip-pattern']),
  only: values['test-only'] === true,
  forceExit: values['test-force-exit'] === true,
  ...(index === undefined || total === undefined ? {} : { shard: { index, total } }),
});
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});

const destinations = texts(values['test-reporter-destination']);
for (const [place, name] of texts(values['test-reporter']).entries()) {
  const destination = destinations[place] ?? 'stdout';
  const shown = events.compose(await reporterOf(name));
  if (destination === 'stdout') shown.pipe(process.stdout, { end: false });
  else if (destination === 'stderr') shown.pipe(process.stderr, { end: false });
  else shown.pipe(createWriteStream(destination));
}

/** One of node's own, or the default export of a module. */
async function reporterOf(name: string) {
  switch (name) {
    case 'spec':
      return new spec();
    case 'lcov':
      return new lcov();
    case 'tap':
      return tap;
    case 'dot':
      return dot;
    case 'junit':
      return junit;
    default:
      return ((await import(name)) as { readonly default: typeof tap }).default;
  }
}
