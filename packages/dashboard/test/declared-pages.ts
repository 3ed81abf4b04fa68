/** Every page that a feature declares, read from its source: types of the browser are unknown here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FEATURES = join(import.meta.dirname, '../src/features');

/** As the router knows them: `/nodes/$id`. */
export function declaredPages(): readonly string[] {
  const folders = readdirSync(FEATURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const source = readFileSync(join(FEATURES, name, 'index.ts'), 'utf8');
    return [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
  });
}
