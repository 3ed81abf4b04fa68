/** The paths of a host name. */
import type { IngressAssignment } from '@meshwork/contract';
import { drainFile } from './gateway-files.ts';
import { LUA_MODULE } from './lua/program.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, luaBlock } from './nginx-text.ts';
import { ERROR_PAGES } from './own-answers.ts';
import { passing } from './passing.ts';

export function locations(ingress: IngressAssignment, input: NginxInput): readonly Directive[] {
  return ingress.routes.flatMap((route, index) => {
    const drain = `@drain_${index}`;
    const passed = passing(ingress.id, index, route, input);
    const draining = withFile(input, drainFile(ingress.id), [directive('return', DRAINING)]);
    const usual = [draining, directive('error_page', DRAINING, '=', drain), ...ERROR_PAGES, ...passed];
    const matches =
      route.path === '/'
        ? [['/']]
        : [
            ['=', route.path],
            ['^~', `${route.path}/`],
          ];
    return [
      ...matches.map((match) => block('location', match, usual)),
      block(
        'location',
        [drain],
        [
          directive('keepalive_timeout', 0), // clients leave with the next answer
          luaBlock('access_by_lua_block', `${LUA_MODULE}.drain()`),
          ...passed,
        ],
      ),
    ];
  });
}

/** No upstream's answer: those are passed on as they are. */
const DRAINING = 418;

function withFile({ folder }: NginxInput, name: string, inside: readonly Directive[]): Directive {
  return block('if', [`(-f`, `${folder}/${name})`], inside);
}
