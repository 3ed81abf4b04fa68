/**
 * `tls-alpn-01`: an authority connects to the port for HTTPS and offers `acme-tls/1`, and nothing else, by ALPN (RFC 8737). Such a connection
 * goes to the agent, which has the certificate that is the answer. A name that is passed through as it is does so for authorities too:
 * its service may have challenges of its own.
 */
import { GATEWAY_FILES } from '../gateway-files.ts';
import { answersByTls } from '../listeners.ts';
import type { NginxInput } from '../nginx-input.ts';
import { block, type Directive, directive, type Expression, patternKey, withVariables } from '../nginx-text.ts';
import { HOSTNAME, refusing } from '../record-check.ts';
import { served } from '../server-blocks.ts';

export const ACME_TLS = 'acme-tls/1';
/** Ours: an authority looks from a handful of places, and each takes a second. */
const IDLE = '10s';
const MOST_OF_A_CLIENT = 32;
const ZONE = 'mesh_authorities';

interface Front {
  /** Names that are passed through as they are. */
  readonly through: ReadonlySet<string>;
  /** Where connections go. */
  readonly place: Expression;
}

/** The same front, with another place where it has to ask for one. */
export function challengeStreams(
  input: NginxInput,
  { through, place }: Front,
): { readonly directives: readonly Directive[]; readonly place: Expression } {
  const named = served(input.section.filter(({ kind }) => kind === 'http')).filter(
    (ingress) => answersByTls(ingress) && !through.has(ingress.hostname) && !ingress.hostname.includes(':'),
  );
  // No handshake names an address.
  if (named.length === 0) return { directives: [], place };
  for (const { id, hostname } of named) if (!HOSTNAME.test(hostname)) refusing(id)('its host name', hostname);
  const socket = (name: string) => `unix:${input.folder}/${name}`;
  const [answers, after] = [withVariables('$mesh_challenged'), withVariables('$mesh_after_challenges')];
  return {
    place: after,
    directives: [
      block(
        'map',
        [withVariables('$ssl_preread_server_name'), answers],
        [
          directive('hostnames'),
          directive('default', 0),
          ...named.map(({ hostname }) => directive(`\\\\${hostname}`, 1)),
        ],
      ),
      block(
        'map',
        [withVariables('$mesh_challenged:$ssl_preread_alpn_protocols'), after],
        [directive('default', place), directive(patternKey(`^1:${ACME_TLS}\\z`), socket(GATEWAY_FILES.challenges))],
      ),
      directive('limit_conn_zone', withVariables('$mesh_client'), `zone=${ZONE}:1m`),
      block(
        'server',
        [],
        [
          directive('listen', socket(GATEWAY_FILES.challenges), 'proxy_protocol'),
          directive('set_real_ip_from', 'unix:'),
          directive('error_log', 'stderr', 'emerg'), // without a challenge, the agent does not listen
          directive('limit_conn', ZONE, MOST_OF_A_CLIENT),
          directive('proxy_connect_timeout', '2s'),
          directive('proxy_timeout', IDLE),
          directive('proxy_pass', socket(GATEWAY_FILES.answers)),
        ],
      ),
    ],
  };
}
