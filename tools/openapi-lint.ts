/** Lints the published OpenAPI documents. Any problem fails, warnings too: a warning that requires no action is noise. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Rules of the recommended set that do not suit us, each with its reason. */
const OFF: Readonly<Record<string, string>> = {
  'operation-2xx-response': 'coming back from the identity provider always ends in a redirect',
};

/** One line a problem, with the JSON pointer of its place. */
export async function lintOpenApi(source: string, path: string): Promise<readonly string[]> {
  const rules = Object.fromEntries(Object.keys(OFF).map((rule) => [rule, 'off' as const]));
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: path, config });
  return problems.map(({ severity, ruleId, message, location: [place] }) => {
    return `${place?.pointer ?? '#/'} ${severity} ${ruleId}: ${message.trim().replaceAll(/\s*\n\s*/g, ' ')}`;
  });
}

if (import.meta.main) {
  for (const name of ['docs/api/openapi.json', 'docs/api/panel-openapi.json']) {
    const path = resolve(import.meta.dirname, '..', name);
    const problems = existsSync(path)
      ? await lintOpenApi(readFileSync(path, 'utf8'), path)
      : ['is missing; to write it: npm run generate'];
    for (const problem of problems) process.stdout.write(`${name} ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
