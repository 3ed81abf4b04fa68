/** People who can sign in to the panel, and the browsers that they are signed in with. The panel knows users by id. */
import { isId, type User } from '@meshwork/contract';
import { alsoOfPanel, panelNoun } from '../../derived/noun.ts';
import { Failure } from '../../failure.ts';
import { scopeText } from '../../rights-text.ts';
import { ago } from '../../when.ts';
import { counted } from '../../wording.ts';
import type { AnyClient } from '../../words/command-words.ts';
import { handOverLink, linkFileOption } from './invitation-link.ts';
import { userFields } from './user-fields.ts';

const USER = { help: 'id or name of the user', find: findUser, completes: 'user' };
const ROLE = { help: 'what the user may do; `mesh role list` shows the roles', completes: 'role' };
const GROUPS = { flag: 'group', help: 'groups the user is in, all of them; ingresses that require sign-in name them' };
const KEEP = { help: 'leave the tokens that the user made; needs all that those tokens may do' };

function scope(note: string, value?: string) {
  const all = value === undefined ? {} : { default: value };
  return {
    'scope.team': { help: `the team the user belongs to${note}`, ...all },
    'scope.surface': { help: `the surface the user is limited to${note}`, ...all },
    'scope.environment': { help: `the environment the user is limited to${note}`, ...all },
  };
}

export const user = panelNoun({
  noun: 'user',
  description: 'The people who can sign in to the panel.',
  records: { User: userFields },
  commands: {
    'users.create': {
      summary: 'Invite a user',
      description:
        'Invite a user. The link, with which the user chooses a password, is shown once. A user cannot be stronger or wider than the token that invites.',
      parameters: {
        name: { help: 'what the user signs in with' },
        display_name: { help: 'what people call the user (default: the name)' },
        role: ROLE,
        groups: GROUPS,
        ...scope('', '*'),
      },
      options: () => [linkFileOption()],
      run: ({ out, options, send }) => handOverLink(out, options.linkFile as string | undefined, send),
    },
    'users.list': {
      summary: 'List users',
      parameters: {
        state: { help: 'only those in this state' },
        role: { help: 'only those with this role', completes: 'role' },
        q: { help: 'only those with this in their name' },
      },
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['STATE', ({ state }) => state],
        ['ROLE', ({ role }) => role],
        ['TEAM / SURFACE / ENVIRONMENT', ({ scope: boundary }) => scopeText(boundary)],
        ['LAST SEEN', ({ last_seen_at }) => ago(last_seen_at)],
      ],
    },
    'users.show': { summary: 'Show a user', parameters: { id: USER } },
    'users.tokens': {
      summary: 'List the tokens that a change would end',
      description:
        'List the tokens that a user made, also through other tokens. With a role or a scope: only those that exceed the rights that the user would have.',
      parameters: { id: USER, role: { help: 'the role the user would have (default: unchanged)', completes: 'role' } },
    },
    'users.update': {
      summary: 'Change a user',
      description:
        'Change a user: only what is named. A new role or scope applies at once, in every open session. Tokens that the user made and that exceed it end, unless --keep-tokens is given.',
      parameters: {
        id: USER,
        role: ROLE,
        groups: { ...GROUPS, off: 'no-group', off_help: 'in no group' },
        keep_tokens: KEEP,
        ...scope('; "*" for all'),
      },
      without: ['disabled'],
    },
    'users.remove': {
      summary: 'Remove a user',
      description:
        'Remove a user. All sessions end, and so do the tokens that the user made, unless --keep-tokens is given. Audit records stay.',
      parameters: { id: USER, keep_tokens: KEEP },
      confirm: {
        ask: ({ given }) => ({
          what: `removing user ${given}`,
          describe: () => `${given} is removed permanently, and every session ends.`,
        }),
      },
    },
    'users.invite_again': {
      verb: 'invite',
      summary: 'Invite a user again',
      description:
        'Invite a user again, after a lost password or second factor: ends all sessions, removes all sign-in methods, and prints a new link once.',
      parameters: { id: USER },
      options: () => [linkFileOption()],
      run: ({ out, options, send }) => handOverLink(out, options.linkFile as string | undefined, send),
    },
  },
  more: [
    alsoOfPanel('users.update', {
      verb: 'disable',
      summary: 'Disable a user',
      description: 'Disable a user: ends all sessions, and the account cannot sign in until it is enabled.',
      parameters: { id: USER, keep_tokens: KEEP },
      only: ['keep_tokens'],
      fixed: { disabled: true },
    }),
    alsoOfPanel('users.update', {
      verb: 'enable',
      summary: 'Enable a user',
      description: 'Enable a disabled user. Ended sessions and tokens are not restored: the user signs in again.',
      parameters: { id: USER },
      only: [],
      fixed: { disabled: false },
    }),
  ],
});

export const session = panelNoun({
  noun: 'session',
  description: 'The browsers that users are signed in to the panel with.',
  ids: 'session',
  commands: {
    'sessions.list': {
      summary: 'List sessions',
      description: 'List the browsers that users are signed in with.',
      arguments: ['user'],
      parameters: { user: { ...USER, help: 'id or name of one user (default: all that the token may see)' } },
      columns: [
        ['ID', ({ id }) => id],
        ['USER', ({ user: { name } }) => name],
        ['SIGNED IN BY', ({ method }) => method],
        ['ADDRESS', ({ address }) => address],
        ['SINCE', ({ created_at }) => ago(created_at)],
        ['LAST SEEN', ({ last_seen_at }) => ago(last_seen_at)],
      ],
      ordered: true,
    },
    'sessions.end': { description: 'End one session: that browser has to sign in again.' },
    'sessions.end_all': {
      summary: 'End all sessions of a user',
      description: 'End all sessions of a user.',
      arguments: ['user'],
      parameters: { user: { ...USER, needed: true } },
      print: ({ ended }) => `ended ${counted(ended, 'session')}`,
    },
  },
});

/** The id of a person who was named by their id or by what they sign in with. */
async function findUser(panel: AnyClient, text: string): Promise<string> {
  if (isId('user', text)) return text;
  for await (const user of panel.pages('users.list', { query: { q: text.slice(0, 100), limit: 200 } })) {
    const { id, name } = user as User;
    if (name === text) return id;
  }
  throw new Failure(`there is no user "${text}"`, {
    exit: 'not_found',
    code: 'not_found',
    hint: '`mesh user list` shows those that this token may see',
  });
}
