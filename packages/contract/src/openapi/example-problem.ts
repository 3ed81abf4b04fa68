import { ERRORS, type ErrorCode } from '../error-table.ts';
import { type FieldError, type Problem, problemType } from '../errors.ts';

/** What a coordinator could have said. The words of `detail` are no promise; they differ from case to case. */
const DETAILS: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'The request cannot be read.',
  malformed_json: 'The body cannot be read as JSON.',
  unexpected_body: 'GET /v1/auth/whoami takes no body.',
  credentials_missing: 'Send a token as "Authorization: Bearer mesh_…".',
  credentials_invalid: 'The Authorization header holds no token that is known here.',
  token_expired: 'The token "ci deploy" expired at 2027-01-31T00:00:00Z.',
  token_retired:
    'The token "ci deploy" was rotated, and its secret was good until 2026-11-15T10:30:00Z. Use that of token_01jcqv5s3ee3xv9k7d0w8m2b4n.',
  token_revoked: 'The token "ci deploy" was revoked at 2026-11-15T10:00:00Z.',
  session_expired: 'The session expired at 2026-11-15T10:30:00Z.',
  session_void: 'The session was ended when the node was quarantined, re-keyed or removed.',
  proof_invalid: 'The proof is not signed with the identity key of its node.',
  proof_used: 'A proof with this jti was used before.',
  clock_skewed: 'The proof was made 312 s in the future: the clock of the node is ahead of ours.',
  token_used_up: 'The token "enrol git" has enrolled all the nodes it was made for.',
  permission_denied: 'This needs tokens:create, which the role viewer does not have.',
  mesh_scope_required:
    'This concerns the whole mesh, and needs a token whose team, surface and environment are all "*".',
  exceeds_own_rights: 'The caller, a pipeline, itself lacks nodes:enroll.',
  not_found: 'There is no role "release-bot".',
  route_not_found: 'There is no /v1/token.',
  method_not_allowed: '/v1/settings takes GET, PATCH.',
  already_exists: 'There already is a role "release-bot".',
  idempotency_key_reused: 'This Idempotency-Key came with another request before. Use a new one.',
  not_owner: 'The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.',
  node_mismatch: 'The session is that of another node than the path names.',
  heartbeat_replayed: 'Heartbeat 16 of this boot came after 17.',
  operation_in_progress: 'operation_01jcqv9b1xf3m8x0v4q6k3j9zt, a rekey, is under way on this node.',
  operation_over: 'The operation is verified.',
  operation_not_cancellable: 'A quarantine cannot be cancelled; release the node instead.',
  node_state: 'The node is active; only a pending one can be approved.',
  addresses_exhausted: 'All 254 addresses of 10.99.0.0/24 are taken.',
  role_built_in: '"operator" is built in and can be neither changed nor deleted.',
  role_in_use: 'The settings give the role "release-bot" to tokens of the surface "git".',
  token_maker_ended:
    'The token "ci" (token_01jcqv2m7xf1b8x0v4q6k3j9zt), which made it, was revoked at 2026-11-15T10:00:00Z, so it cannot be renewed.',
  token_not_active: 'The token is revoked; only an active one can be rotated.',
  token_delegated: 'The token acts for Ada Lovelace and is not rotated.',
  firewall_cuts_off:
    'Rule firewall_01jcqv8h3kf1x9r7w5t2m6d0za drops what the agent on git-1 sends to the coordinator, port 7400.',
  certificate_in_use: 'The ingress "shop" shows the certificate "shop".',
  certificate_ordered: 'The certificate of shop.example.net comes from the outside authority "letsencrypt".',
  outside_authority_in_use: 'The ingress "shop" gets its certificate from the authority "letsencrypt".',
  order_under_way: 'The order for shop.example.net is under way: its gateways show the answer to the challenge.',
  waf_in_use: 'The ingress "git" uses the WAF policy "public" for the path "/".',
  ingress_not_checked: 'No node in the scope of the token can check it: laptop-3 is stale.',
  waf_not_tried: 'No fresh node in the scope of the token can inspect requests: its packages are missing on gw-1.',
  too_many: 'There are 500 rules, and there cannot be more.',
  revision_mismatch: 'If-Match names revision 1180, but the resource is at 1184. Read it again, then decide.',
  body_too_large: 'The body is larger than this operation takes.',
  unsupported_media_type: 'Send the body as "Content-Type: application/json".',
  sign_in_required: 'No session, or the session has ended.',
  sign_in_failed: 'The name, password or code is incorrect.',
  setup_code_invalid: 'This is not the set-up code that was printed last.',
  invitation_invalid: 'The invitation is invalid, already used or expired.',
  csrf_failed: 'The header X-CSRF-Token is missing or belongs to another session.',
  origin_refused: 'The origin https://evil.example is not the panel.',
  confirmation_required: 'This needs a proof of who you are that is at most ten minutes old.',
  setup_closed: 'The panel was set up at 2026-11-15T09:00:00Z.',
  last_owner: 'ada is the last owner.',
  provider_unavailable: 'Example ID did not answer.',
  coordinator_unavailable: 'The coordinator did not answer.',
  invalid: '/expires must be a date and time such as 2027-01-31T00:00:00Z; /surprise is not a known field.',
  entry_refused: 'Your account is in none of the groups that may enter wiki.example.net.',
  role_reserved: 'The role "panel" acts for others, so no person can have it.',
  policy_invalid: 'There is no group "develpers". Did you mean "developers"?',
  rotation_under_way: 'A rotation of the intermediate was started at 2026-11-15T09:00:00Z.',
  rotation_switched: 'The new authorities have been in use since 2026-11-15T09:10:00Z.',
  root_key_outside: 'The key of Meshwork root 9b2d11c4 was dropped from the installation at 2026-11-15T09:31:00Z.',
  master_key_refused: '/var/lib/meshwork/master-key can be read by others (mode 644). Make it 600.',
  root_key_unproven: 'The proof was not made with the key of Meshwork root 9b2d11c4.',
  intermediate_refused: 'The certificate is for another key than the request.',
  certificate_refused: 'The request asks for the DNS name "db-1.mesh", which is not inside your scope.',
  policy_tests_failed: 'Test 0 wants laptop-3 to reach git-1:tcp:22, which no grant allows.',
  rate_limited: 'More than 100 requests a second, 400 at once. Try again in 1 s.',
  internal: 'The service failed; its log has the details under this request id.',
  busy: 'Too many changes are waiting to be written. Try again in a moment.',
  store_unavailable: 'The store cannot be reached.',
  outcome_unknown: 'The store was lost during the write. Look whether it took effect.',
  shutting_down: 'The coordinator is shutting down.',
};

const FAULTS: readonly FieldError[] = [
  { pointer: '/expires', detail: 'must be a date and time such as 2027-01-31T00:00:00Z' },
  { pointer: '/surprise', detail: 'is not a known field' },
];

const POLICY_FAULTS: readonly FieldError[] = [
  {
    pointer: '/grants/0/from',
    detail: 'There is no group "develpers". Did you mean "developers"?',
    line: 3,
    column: 24,
  },
];

export function exampleProblem(code: ErrorCode): Problem {
  const { status, title, retryable } = ERRORS[code];
  return {
    type: problemType(code),
    title,
    status,
    detail: DETAILS[code],
    code,
    retryable,
    request_id: 'req_k3v9x0-1f',
    ...(code === 'invalid' ? { errors: [...FAULTS] } : {}),
    ...(code === 'policy_invalid' ? { errors: [...POLICY_FAULTS] } : {}),
  };
}
