import { named } from './named.ts';
import { type Static, Type } from './type.ts';

const member = (meaning: string) =>
  Type.String({
    pattern: '^(\\*|[a-z0-9][a-z0-9._-]{0,62})$',
    description: `${meaning}: a name of lower-case letters, digits, dots, underscores and dashes, or \`*\` for all.`,
  });

/** The boundary of a credential: it sees and touches only what lies inside. */
export const Scope = named(
  'Scope',
  Type.Object(
    {
      team: member('Team boundary'),
      surface: member('Surface boundary, for example a git surface'),
      environment: member('Environment boundary'),
    },
    { additionalProperties: false, description: 'The boundary: only what lies inside is seen and touched.' },
  ),
);
export type Scope = Static<typeof Scope>;
