/** Tokens: secrets are handed over once, and a revoked token may take those that it made with it. */
import { noun } from '../../derived/noun.ts';
import { scopeText } from '../../rights-text.ts';
import { revokeOptions, revokeToken } from './revoke-token.ts';
import { handOverSecret, secretFileOption } from './secret.ts';
import { tokenFields } from './token-fields.ts';

const SCOPE = {
  'scope.team': { help: 'the team it is for; "*" for all' },
  'scope.surface': { help: 'the surface it is for, such as git; "*" for all' },
  'scope.environment': { help: 'the environment it is for; "*" for all' },
};

export const token = noun({
  noun: 'token',
  ids: 'token',
  records: { Token: tokenFields },
  commands: {
    'tokens.create': {
      description:
        'Create a scoped token. Its secret is shown once. A token cannot be stronger or wider than its maker, nor outlive a token that makes it, unless that one has tokens:outlive.',
      parameters: {
        ...SCOPE,
        name: { help: 'what people will call it' },
        expires: { help: 'a timestamp, or a duration such as 30d or 12h' },
        role: {
          help: 'what it may do; by default what the settings give to the surface, else viewer',
          completes: 'role',
        },
        uses: { help: 'how many nodes it may enrol (default: any number)' },
        tags: { help: 'a tag it may put on nodes although its scope does not own it, such as role:dba' },
      },
      options: () => [secretFileOption()],
      run: ({ out, options, send }) => handOverSecret(out, options.secretFile as string | undefined, send),
    },
    'tokens.list': {
      parameters: {
        state: { help: 'only those in this state' },
        role: { help: 'only those with this role', completes: 'role' },
        q: { help: 'only those with this in their name' },
        made_by: { help: 'only those that this person or token made, also through tokens that they made' },
        parent: { help: 'only those that this person or token made itself' },
        people: { help: 'also those of people who are signed in to the panel' },
      },
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['STATE', ({ state }) => state],
        ['ROLE', ({ role }) => role],
        ['TEAM / SURFACE / ENVIRONMENT', ({ scope }) => scopeText(scope)],
        ['EXPIRES', ({ expires }) => expires],
        ['LAST USED', ({ last_used_at }) => last_used_at ?? 'never'],
      ],
    },
    'tokens.rotate': {
      description:
        'Rotate a token: make a successor with a new id and secret, and the same name, scope, role and tags. The old secret stays valid until the deadline. If the successor expires earlier, so do the tokens that it created.',
      parameters: {
        deadline_s: { help: 'how long the old secret stays valid; 0 revokes it at once (default: 1h)' },
        expires: { help: 'expiry of the successor (default: the lifetime of the old token)' },
      },
      options: () => [secretFileOption()],
      run: ({ out, options, send }) => handOverSecret(out, options.secretFile as string | undefined, send),
    },
    'tokens.revoke': { without: ['children'], ...revokeOptions, run: revokeToken },
  },
});
