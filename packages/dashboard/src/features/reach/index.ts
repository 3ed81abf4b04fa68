/** "Why can't A reach B?": one question, and every step of the answer. Start with `reach-page.tsx`. */
import { IconRoute } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'reach',
  title: 'Reach',
  navigation: { group: 'Mesh', icon: IconRoute },
  permission: 'acls:read',
  pages: [{ path: '/reach', load: () => import('./reach-page.tsx') }],
  figures: ({ explain }) => {
    if (explain == null) return []; // undefined: an older coordinator
    const { checked, disagreed, unknown } = explain;
    return [
      {
        title: 'Explanations checked',
        value: checked.toLocaleString(),
        caption: `${disagreed.toLocaleString()} disagreed, ${unknown.toLocaleString()} unknown`,
        link: { to: '/reach', label: 'View checks' },
        isTroubled: disagreed > 0,
      },
    ];
  },
  attention: {
    explain_disagreed: ({ name }) => ({ page: { to: '/reach', ...askAgain(name), label: 'Open in Reach' } }),
  },
};

/** The question that a disagreement was about, from the words that name it: `laptop-3 -> 100.64.0.7 tcp:22`. */
function askAgain(name: string): { readonly search?: Readonly<Record<string, string>> } {
  const [, from, to, port] = /^(\S+) -> (\S+) (\S+)$/.exec(name) ?? [];
  if (from === undefined || to === undefined || port === undefined) return {};
  return { search: { from, to, port } };
}
