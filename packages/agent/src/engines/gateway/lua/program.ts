/**
 * What runs inside nginx. In modules and not in files of Lua, because the agent runs from a bundle, which holds no other files. The
 * agent writes it into the gateway's folder, where nginx reads it.
 *
 * No value of a record is ever code: routes and nodes come as JSON, over the private socket or from `live.json`.
 */
import { BOUNDED_LOG_LUA } from './bounded-log.ts';
import { CERTIFICATES_LUA } from './certificates.ts';
import { CHALLENGES_LUA } from './challenges.ts';
import { COUNTS_LUA } from './counts.ts';
import { CUTS_LUA } from './cuts.ts';
import { DRAINS_LUA } from './drains.ts';
import { GATEWAY_LUA } from './gateway.ts';
import { IDENTITY_LUA } from './identity.ts';
import { JSON_LUA } from './json.ts';
import { LIVE_LUA } from './live.ts';
import { OWN_ANSWERS_LUA } from './own-answers.ts';
import { PASSES_LUA } from './passes.ts';
import { PEERS_LUA } from './peers.ts';
import { PROOFS_LUA } from './proofs.ts';
import { REDIRECTS_LUA } from './redirects.ts';
import { REQUESTS_LUA } from './requests.ts';
import { SHOWN_LUA } from './shown.ts';
import { SIGN_IN_LUA } from './sign-in.ts';
import { TRAFFIC_LOG_LUA } from './traffic-log.ts';
import { WORKERS_LUA } from './workers.ts';

/** The one that the configuration names. */
export const LUA_MODULE = 'mesh_gateway';

/** By name of the file. */
export const LUA_FILES: Readonly<Record<string, string>> = {
  [`${LUA_MODULE}.lua`]: GATEWAY_LUA,
  'mesh_bounded_log.lua': BOUNDED_LOG_LUA,
  'mesh_certificates.lua': CERTIFICATES_LUA,
  'mesh_challenges.lua': CHALLENGES_LUA,
  'mesh_counts.lua': COUNTS_LUA,
  'mesh_cuts.lua': CUTS_LUA,
  'mesh_drains.lua': DRAINS_LUA,
  'mesh_identity.lua': IDENTITY_LUA,
  'mesh_json.lua': JSON_LUA,
  'mesh_live.lua': LIVE_LUA,
  'mesh_own_answers.lua': OWN_ANSWERS_LUA,
  'mesh_passes.lua': PASSES_LUA,
  'mesh_peers.lua': PEERS_LUA,
  'mesh_proofs.lua': PROOFS_LUA,
  'mesh_redirects.lua': REDIRECTS_LUA,
  'mesh_requests.lua': REQUESTS_LUA,
  'mesh_shown.lua': SHOWN_LUA,
  'mesh_workers.lua': WORKERS_LUA,
  'mesh_sign_in.lua': SIGN_IN_LUA,
  'mesh_traffic_log.lua': TRAFFIC_LOG_LUA,
};
