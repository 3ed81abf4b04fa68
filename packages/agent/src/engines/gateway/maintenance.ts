/** Requests that get a page in place of the service. The page is a file: its text may be changed without a reload. */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { pageFile } from './gateway-files.ts';
import { PAGE_POLICY } from './maintenance-page.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, withVariables } from './nginx-text.ts';
import { grpcUnavailable, isGrpc } from './own-answers.ts';
import { wordFor } from './record-texts.ts';
import { ifNotFrom } from './traffic-rules.ts';

/** No answer of a service: those are passed on as they are. */
const MAINTENANCE = 419;
/** No path of a route can begin with a dot, and none but nginx itself gets there. */
const PAGE = '/.meshwork/maintenance.';
const GRPC = '@grpc_maintenance';

/** Once for all ingresses. Programs that ask for a page say so; others get a text. */
export const PAGE_KIND = block(
  'map',
  [withVariables('$http_accept'), withVariables('$mesh_page')],
  [directive('default', 'txt'), directive('"~*text/html"', 'html')],
);

/** In a location of a route. */
export function maintenanceRules({ maintenance }: IngressAssignment, route: AssignedRoute): readonly Directive[] {
  if (maintenance === null) return [];
  const { allow } = maintenance;
  const refused = directive('return', MAINTENANCE);
  return [
    allow.length === 0 ? refused : ifNotFrom(allow, [refused]),
    isGrpc(route)
      ? directive('error_page', MAINTENANCE, '=', GRPC)
      : directive('error_page', MAINTENANCE, '=503', withVariables('/.meshwork/maintenance.$mesh_page')),
  ];
}

export function maintenanceLocations(ingress: IngressAssignment, { folder }: NginxInput): readonly Directive[] {
  const { id, maintenance, routes } = ingress;
  if (maintenance === null) return [];
  const page = (kind: 'html' | 'txt', type: string) =>
    block(
      'location',
      ['=', `${PAGE}${kind}`],
      [
        directive('internal'),
        directive('alias', `${folder}/${pageFile(id, kind)}`),
        directive('default_type', type),
        directive('open_file_cache', 'off'), // its text may be another one now
        directive('etag', 'off'),
        directive('max_ranges', 0),
        ...[
          ['Retry-After', maintenance.retry_after_s],
          ['Cache-Control', 'no-store'],
          ['Content-Security-Policy', PAGE_POLICY],
          ['X-Content-Type-Options', 'nosniff'],
        ].map(([name = '', value = '']) => directive('add_header', name, value, 'always')),
      ],
    );
  const grpc = routes.some(isGrpc) ? [block('location', [GRPC], grpcUnavailable(wordFor(grpcMessage(ingress))))] : [];
  return [page('html', 'text/html; charset=utf-8'), page('txt', 'text/plain; charset=utf-8'), ...grpc];
}

/** Percent-encoded, so that it can be sent in a header. */
export function grpcMessage({ maintenance }: IngressAssignment): string {
  return encodeURIComponent(maintenance?.message.toWellFormed() ?? '').replaceAll('%20', ' ');
}
