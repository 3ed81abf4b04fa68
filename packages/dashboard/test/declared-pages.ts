/** Every page that a feature declares, read from its source: a browser's modules cannot be loaded here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FEATURES = join(import.meta.dirname, '../src/features');

/** As the router knows them: `/nodes/$id`. */
export function declaredPages(): readonly string[] {
  return readdirSync(FEATURES).flatMap((feature) => {
    const source = readFileSync(join(FEATURES, feature, 'index.ts'), 'utf8');
    return [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
  });
}
