/** The features as pages see them. `app.tsx` provides the list, so that no page has to import another feature. */
import { createContext, use } from 'react';
import type { Feature } from './feature.ts';

export const FeatureList = createContext<readonly Feature[]>([]);

export function useFeatures(): readonly Feature[] {
  return use(FeatureList);
}
