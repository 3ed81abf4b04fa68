import type { Role } from '@meshwork/contract';
import { Option } from 'commander';
import { usage } from '../../derived/flags.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';

interface Options {
  readonly permission?: string[];
  readonly add?: string[];
  readonly remove?: string[];
  readonly description?: string;
}

/** The API replaces a role as a whole; people change a part of it. */
export const setRole: CommandWords<Role> = {
  summary: 'Change a custom role',
  description: 'Change a custom role: only what is named.',
  only: [],
  options: () => [
    new Option('--permission <permissions...>', 'replace all permissions'),
    new Option('--add <permissions...>', 'permissions to add').conflicts('permission'),
    new Option('--remove <permissions...>', 'permissions to remove').conflicts('permission'),
    new Option('--description <text>', 'what it is for'),
  ],
  async run({ session, request, options, send, show }: Running<Role>) {
    const wanted = options as Options;
    if (Object.keys(wanted).length === 0) throw usage('say what to change, such as --add nodes:read');
    const params = { name: request.params.name ?? '' };
    const { body: role, etag } = await session.client.call('roles.show', { params });
    request.body = { permissions: permissionsOf(role, wanted), description: wanted.description ?? role.description };
    // As it was read: a permission that was taken away meanwhile must not come back.
    await show(await send({ if_match: etag ?? undefined }));
  },
};

function permissionsOf(role: Role, { permission, add = [], remove = [] }: Options): string[] {
  if (permission !== undefined) return permission;
  const kept = role.permissions.filter((one) => one !== 'self:read' && !remove.includes(one));
  return [...new Set([...kept, ...add])];
}
