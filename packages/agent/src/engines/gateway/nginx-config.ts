/**
 * The configuration of nginx: text from the record, and from nothing else. Nodes are not in it, so that they come and go
 * without a reload (`lua/program.ts`), and neither are certificates.
 */
import { createHash } from 'node:crypto';
import { sessionRules } from './client-certificates.ts';
import { GATEWAY_FILES, GATEWAY_FOLDERS } from './gateway-files.ts';
import { listenerSettings } from './listeners.ts';
import { DRAIN_FILES } from './locations.ts';
import { LUA_FILES, LUA_MODULE } from './lua/program.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, luaBlock, nginxText, withVariables } from './nginx-text.ts';
import { NJS_FILES } from './njs/program.ts';
import { PROXY_DEFAULTS } from './proxy-defaults.ts';
import { defaultServers, httpRules, ingressServers } from './server-blocks.ts';
import { streamBlocks } from './stream-blocks.ts';
import { groupsText } from './stream-groups.ts';
import { logFormat } from './traffic/access-log.ts';
import { sharedWafRules, wafModules } from './waf/waf-rules.ts';

export interface NginxConfig {
  readonly text: string;
  /** Names the text. nginx says which one it serves. */
  readonly generation: string;
  /** What goes with it whenever it is loaded, and is no reason to load it: see `stream-groups.ts`. */
  readonly groups: string;
}

/** Debian's package makes it. */
export const GATEWAY_USER = 'www-data';
/** In this order: each needs the one before it, or has to be asked before it. */
const MODULES = ['ndk_http_module', 'ngx_http_lua_module', 'ngx_stream_module', 'ngx_stream_js_module'];
export const NGINX_MODULES = MODULES.map((name) => `/usr/lib/nginx/modules/${name}.so`);
/** Ours: how long a request, or a websocket, may outlive the configuration that it began with. */
const OLD_WORKERS_S = 24 * 3600;

/** These characters mean nothing in any of the places where the path is put. */
const FOLDER = /^(?:\/[A-Za-z0-9_.-]+)+$/;

export function nginxConfig(input: NginxInput): NginxConfig {
  if (!FOLDER.test(input.folder)) {
    throw new Error(
      `nginx cannot be run from ${JSON.stringify(input.folder)}: set MESH_GATEWAY_DIR to a path of letters, digits, ".", "_" and "-"`,
    );
  }
  // What is in other files and read when the configuration is loaded counts too.
  const named = createHash('sha256')
    .update(nginxText(directives(input, '')))
    .update(JSON.stringify([LUA_FILES, NJS_FILES]));
  const generation = named.digest('hex').slice(0, 32);
  const head = '# Written by the Meshwork agent from the record of the mesh. Changes are undone.\n';
  return { generation, text: `${head}${nginxText(directives(input, generation))}`, groups: groupsText(input.section) };
}

function directives(input: NginxInput, generation: string): readonly Directive[] {
  const fileIn = (name: string) => `${input.folder}/${name}`;
  return [
    ...[...NGINX_MODULES, ...wafModules(input.waf)].map((path) => directive('load_module', path)),
    directive('user', GATEWAY_USER),
    directive('daemon', 'off'),
    directive('worker_processes', 'auto'),
    directive('worker_rlimit_nofile', input.open_files),
    directive('worker_shutdown_timeout', `${OLD_WORKERS_S}s`),
    directive('pid', fileIn(GATEWAY_FILES.pid)),
    directive('error_log', 'stderr', 'warn'),
    block('events', [], [directive('worker_connections', Math.floor(input.open_files / 2))]),
    block(
      'http',
      [],
      [
        ...httpSettings(fileIn, input),
        luaBlock('init_by_lua_block', `${LUA_MODULE} = require "${LUA_MODULE}"; ${LUA_MODULE}.start("${generation}")`),
        luaBlock('init_worker_by_lua_block', `${LUA_MODULE}.start_worker(${wafLogName(input)})`),
        luaBlock('exit_worker_by_lua_block', `${LUA_MODULE}.end_worker()`),
        ...listenerSettings(input),
        ...PROXY_DEFAULTS,
        ...httpRules(input),
        ...sharedWafRules(input.waf),
        ...defaultServers(input),
        ...ingressServers(input),
        controlServer(fileIn(GATEWAY_FILES.control)),
      ],
    ),
    ...streamBlocks(input),
  ];
}

function httpSettings(fileIn: (name: string) => string, { section }: NginxInput): readonly Directive[] {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    directive('lua_package_path', `${fileIn(GATEWAY_FOLDERS.lua)}/?.lua;;`),
    directive('lua_shared_dict', 'mesh_live', '32m'),
    directive('lua_shared_dict', 'mesh_workers', '8m'),
    directive('lua_shared_dict', 'mesh_identity', '16m'),
    directive('lua_shared_dict', 'mesh_signed_out', '4m'),
    directive('lua_shared_dict', 'mesh_cuts', '8m'),
    directive('lua_shared_dict', 'mesh_proofs', '1m'),
    directive('lua_shared_dict', 'mesh_challenges', '2m'),
    directive('access_log', 'off'), // but where requests are counted
    ...logFormat(section),
    directive('server_tokens', 'off'),
    directive('default_type', 'application/octet-stream'),
    block('types', [], []), // what nginx itself answers has the type that is said there, whatever the path ends with
    directive('variables_hash_max_size', 16_384),
    directive('variables_hash_bucket_size', 128),
    directive('server_names_hash_bucket_size', 512),
    directive('server_names_hash_max_size', 8192),
    ...temp.map((name) => directive(`${name}_temp_path`, fileIn(`${GATEWAY_FOLDERS.temp}/${name}`))),
    // A name with an underscore reaches many programs as the same name with a hyphen: it would pass by what is replaced.
    directive('underscores_in_headers', 'off'),
    directive('ignore_invalid_headers', 'on'),
    directive('large_client_header_buffers', 4, '16k'),
    directive('client_max_body_size', 0),
    directive('keepalive_timeout', '75s'),
    directive('tcp_nodelay', 'on'),
    ...DRAIN_FILES,
    directive('recursive_error_pages', 'on'),
    directive('ssl_protocols', 'TLSv1.2', 'TLSv1.3'),
    directive('ssl_ciphers', CIPHERS.join(':')),
    directive('ssl_prefer_server_ciphers', 'off'),
    ...sessionRules(section),
    // A path with a variable is read with each handshake: a renewed certificate needs no reload.
    block('map', ['', withVariables('$mesh_tls')], [directive('default', fileIn(GATEWAY_FOLDERS.tls))]),
  ];
}

/** A literal of Lua. Empty: nothing is inspected. */
function wafLogName({ folder, waf }: NginxInput): string {
  return waf?.rules === undefined ? '' : `"${folder}/${waf.log}"`;
}

/** Mozilla's intermediate ones, for TLS 1.2. */
const CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/** What the agent asks nginx, and sends it. */
function controlServer(socket: string): Directive {
  const location = (path: string, ...inside: readonly Directive[]) => block('location', ['=', path], inside);
  const code = (call: string) => luaBlock('content_by_lua_block', `${LUA_MODULE}.${call}()`);
  return block(
    'server',
    [],
    [
      directive('listen', `unix:${socket}`),
      directive('keepalive_timeout', 0),
      directive('client_max_body_size', '64m'),
      directive('client_body_buffer_size', '16m'),
      directive('default_type', 'application/json'),
      location('/generation', code('say_generation')),
      location('/live', block('limit_except', ['PUT'], [directive('deny', 'all')]), code('take_live')),
      location('/identities', block('limit_except', ['PUT'], [directive('deny', 'all')]), code('take_identities')),
      location('/proof', block('limit_except', ['PUT'], [directive('deny', 'all')]), code('take_proof')),
      location('/challenge', block('limit_except', ['PUT'], [directive('deny', 'all')]), code('take_challenge')),
      location('/open', code('say_open')),
      location('/cuts', code('say_cuts')),
      block('location', ['/'], [directive('return', 404)]),
    ],
  );
}
