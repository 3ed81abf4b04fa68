/** Paths from which clients are sent elsewhere. How the place is made of what they asked for is in `lua/redirects.ts`. */
import type { IngressAssignment } from '@meshwork/contract';
import { LUA_MODULE } from './lua/program.ts';
import { type Directive, directive, luaBlock, withVariables } from './nginx-text.ts';

type Redirect = IngressAssignment['redirects'][number];

export function redirecting(id: string, { path, to, status, keep }: Redirect): readonly Directive[] {
  return [
    directive('set', withVariables('$mesh_route'), `${id}/-`), // for a drain: no node is asked
    directive('set', withVariables('$mesh_from'), path),
    directive('set', withVariables('$mesh_place'), to),
    directive('set', withVariables('$mesh_status'), status),
    directive('set', withVariables('$mesh_keep'), keep ? 1 : 0),
    // A place on this host stays one: only the client knows by which scheme and port it came.
    directive('absolute_redirect', 'off'),
    luaBlock('content_by_lua_block', `${LUA_MODULE}.redirect()`),
  ];
}
