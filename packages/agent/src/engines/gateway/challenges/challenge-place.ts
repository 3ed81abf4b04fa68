import type { IngressAssignment } from '@meshwork/contract';
import { CHALLENGE_PATH } from '../lua/challenges.ts';
import { LUA_MODULE } from '../lua/program.ts';
import { block, type Directive, directive, luaBlock, withVariables } from '../nginx-text.ts';

/**
 * Where an authority looks for a file, by plain HTTP: see `../lua/challenges.ts`. Before all that an ingress asks of requests. Every path below
 * it is the gateway's own: what a service has there is not shown.
 */
export function challengePlace({ id, tls }: IngressAssignment): readonly Directive[] {
  if (tls?.challenge !== 'http-01') return [];
  return [
    block(
      'location',
      ['^~', CHALLENGE_PATH],
      [
        directive('access_log', 'off'), // no request of people
        directive('set', withVariables('$mesh_challenged'), id),
        luaBlock('content_by_lua_block', `${LUA_MODULE}.say_challenge()`),
      ],
    ),
  ];
}
