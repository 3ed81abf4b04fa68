/**
 * A feature is a folder under `features/` whose index exports one of these, and a line in `features/features.ts`. That is
 * all the rest of the dashboard knows of it: the navigation, the overview, events, the audit trail and the settings page show
 * what features say here. An area without a page of its own has a feature too, with its words.
 *
 * Features load with the first page, their pages do not: an index imports a page only inside of `load`.
 */
import type { AppliedSection, Attention, AttentionKind, Overview, Permission } from '@meshwork/contract';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { EventFamilies } from './event-words.ts';
import type { SettingSections } from './setting-fields.ts';

/** In the order of the navigation. */
export const NAVIGATION_GROUPS = ['Mesh', 'Access', 'Organisation', 'System'] as const;

export interface Feature {
  /** Also the first part of its addresses: `nodes` lives below `/nodes`. The overview is `/`. */
  readonly id: string;
  /** As it stands in the navigation. */
  readonly title: string;
  /** Absent: its pages are reached from elsewhere, or it has none. */
  readonly navigation?: { readonly group: (typeof NAVIGATION_GROUPS)[number]; readonly icon: Icon };
  /** What its pages need. Absent: every signed-in person may open them. */
  readonly permission?: Permission;
  readonly pages?: readonly FeaturePage[];
  /** Figures on the overview. Empty: there is nothing to show, or the reader has no permission. */
  readonly figures?: (overview: Overview) => readonly Figure[];
  /** Where an item that needs attention is dealt with. Every kind stands in exactly one feature. */
  readonly attention?: Readonly<Partial<Record<AttentionKind, (subject: Attention['subject']) => Remedy>>>;
  /** Words for its events, and what they make stale. Every family stands in exactly one feature. */
  readonly events?: EventFamilies;
  /** Titles of the sections of a node's configuration that it owns. */
  readonly sections?: Readonly<Partial<Record<AppliedSection, string>>>;
  /** Its fields on the settings page. */
  readonly settings?: SettingSections;
  readonly audit?: AuditWords;
}

export interface FeaturePage {
  /** From the root, parameters with a dollar sign: `/nodes/$id`. */
  readonly path: string;
  /** Loaded when the page is opened. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

interface Figure {
  readonly title: string;
  readonly value: string;
  readonly caption: string;
  readonly link?: PageLink;
  /** True: it is shown as a warning. */
  readonly isTroubled?: boolean;
}

export interface PageLink {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
}

/** A page where there is one, otherwise the command that shows the same. */
export type Remedy = { readonly page: PageLink } | { readonly command: string };

interface AuditWords {
  /** What the coordinator does by itself, beside the operations of the API. */
  readonly actions?: readonly string[];
  /** The page of a target, by its kind. */
  readonly targets?: Readonly<Record<string, (id: string) => string>>;
}
