/** Every page that a feature declares, as the router knows it: `/nodes/$id`. */
import { FEATURES } from '../src/features/features.ts';

export function declaredPages(): readonly string[] {
  return FEATURES.flatMap(({ pages = [] }) => pages.map(({ path }) => path));
}
