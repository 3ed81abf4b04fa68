/**
 * A feature is a folder under `features/` with an `index.ts` that exports one of these, and a line in `navigation.ts`. That is all
 * the rest of the dashboard knows of it.
 */
import type { Permission } from '@meshwork/contract';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface Feature {
  /** Also the first part of its addresses: `nodes` lives below `/nodes`. The overview is `/`. */
  readonly id: string;
  /** As it stands in the navigation. */
  readonly title: string;
  readonly icon: Icon;
  /** Who cannot use it at all does not see it. Absent: everybody may. */
  readonly permission?: Permission;
  readonly pages: readonly FeaturePage[];
}

export interface FeaturePage {
  /** From the root, parameters with a dollar sign: `/nodes/$id`. */
  readonly path: string;
  /** Loaded when somebody goes there, so that nobody waits for what they do not look at. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}
