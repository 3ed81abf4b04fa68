/**
 * Scoped tokens: the list, one token and its activity, and the three things that are done about them: create one for a purpose
 * (`create/`), replace its secret (`rotate/`), end it (`revoke/`). Start with `tokens-page.tsx`.
 */
import { IconKey } from '@tabler/icons-react';
import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'tokens',
  title: 'Tokens',
  navigation: { group: 'Access', icon: IconKey },
  permission: 'tokens:read',
  pages: [
    { path: '/tokens', load: () => import('./tokens-page.tsx') },
    { path: '/tokens/new', load: () => import('./create/new-token-page.tsx') },
    { path: '/tokens/$id', load: () => import('./token-page.tsx') },
  ],
  figures: ({ tokens }) => {
    if (tokens === null) return [];
    const { active, expiring } = tokens;
    return [
      {
        title: 'Active tokens',
        value: active.toLocaleString(),
        // Tokens that were created for less than a week are not among them: their end is expected.
        caption: expiring === 0 ? 'None expires within a week' : `${expiring.toLocaleString()} expiring within a week`,
        link: { to: '/tokens', label: 'All tokens' },
        isTroubled: expiring > 0,
      },
    ];
  },
  attention: { token_expiring: ({ id }) => ({ page: { to: `/tokens/${id}`, label: 'Open token' } }) },
  events: {
    token: {
      title: 'Token events',
      subject: (event) => `Token ${nameIn(event)}`,
      to: ({ subject }) => `/tokens/${subject.id}`,
      happened: {
        'token.created': 'was created',
        'token.rotated': 'was rotated',
        'token.revoked': 'was revoked',
        'token.expiring': 'expires within a week',
      },
      // ACME accounts act as tokens.
      stale: ['tokens', 'acme', 'overview'],
    },
  },
  settings: {
    tokens: {
      title: 'Tokens',
      description: 'Longest lifetime, and the role of tokens that are created without one.',
      fields: {
        max_lifetime_days: {
          label: 'Longest lifetime',
          meaning: 'The longest lifetime a new token can have. Existing tokens keep their expiry.',
          kind: 'count',
          unit: 'days',
        },
      },
    },
  },
  audit: {
    actions: ['delegations.forget', 'tokens.announce_expiry'],
    targets: { token: (id) => `/tokens/${id}` },
  },
};
