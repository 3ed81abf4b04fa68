import type { Settings } from '@meshwork/contract';
import { fields } from '../../table.ts';

/** Each setting as `mesh settings set` takes it back, apart from the equals sign. */
export function settingsText(settings: Settings): string {
  return fields([...leaves('', settings)]);
}

function* leaves(path: string, value: unknown): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, String(value)];
    return;
  }
  for (const [key, inner] of Object.entries(value)) yield* leaves(path === '' ? key : `${path}.${key}`, inner);
}
