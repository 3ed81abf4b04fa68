interface ErrorRow {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later with nothing changed. Clients obey this, not the text. */
  readonly retryable: boolean;
  /**
   * Whether it is a decision about access, and so goes into the audit trail: every 401 and 403, and those conflicts and faults
   * that keep a caller from rights, credentials or accounts.
   */
  readonly refusal: boolean;
  /** What the caller can do about it, for the reference. Never sent: the `detail` of a problem knows more. */
  readonly advice: string;
}

const fault = (status: number, title: string, advice: string): ErrorRow => ({
  status,
  title,
  retryable: false,
  refusal: false,
  advice,
});
const refusal = (status: number, title: string, advice: string): ErrorRow => ({
  ...fault(status, title, advice),
  refusal: true,
});
const temporary = (status: number, title: string, advice: string): ErrorRow => ({
  ...fault(status, title, advice),
  retryable: true,
});

/** Every error of the API. `code` is what programs read; the status and the title follow from it. */
export const ERRORS = {
  malformed_request: fault(
    400,
    'The request is not well-formed HTTP',
    'Check the request line, the headers and the encoding of the path.',
  ),
  malformed_json: fault(400, 'The body is not valid JSON', 'Send JSON in UTF-8.'),
  unexpected_body: fault(400, 'This operation takes no body', 'Send it without one.'),
  credentials_missing: refusal(401, 'Credentials required', 'Send `Authorization: Bearer` with a token.'),
  credentials_invalid: refusal(
    401,
    'The credentials are not valid',
    'Compare the token with the one that was shown when it was made, and the coordinator with the one that made it.',
  ),
  token_expired: refusal(401, 'The token has expired', 'Create a new token.'),
  token_retired: refusal(
    401,
    'The token was rotated and its deadline has passed',
    'Use the successor that came with the rotation.',
  ),
  token_revoked: refusal(401, 'The token was revoked', 'Create a new token, and find out why this one was revoked.'),
  session_expired: refusal(401, 'The session of the node has expired', 'Open a new node session.'),
  session_void: refusal(
    401,
    'The session of the node was ended',
    'Open a new node session. A node that was removed cannot.',
  ),
  proof_invalid: refusal(
    401,
    'The proof of identity is not valid',
    'Sign it with the identity key of the node, as the description of the operation says.',
  ),
  proof_used: refusal(401, 'The proof of identity was used before', 'Make a new one, with a new `jti`.'),
  clock_skewed: refusal(
    401,
    'The clock of the node is too far off',
    'Set the clock of the node; the detail says by how much it is off.',
  ),
  sign_in_required: refusal(401, 'Sign-in required', 'Sign in to the panel, and repeat the request.'),
  sign_in_failed: refusal(
    401,
    'The name, password or code is incorrect',
    'Try again. After several failures each further attempt has to wait.',
  ),
  setup_code_invalid: refusal(
    401,
    'The set-up code is incorrect or has expired',
    'Use the code that the panel printed last; starting the panel again prints a new one.',
  ),
  invitation_invalid: refusal(
    401,
    'The invitation is not valid, was used, or has expired',
    'Ask the person who invited you for a new one.',
  ),
  token_used_up: refusal(403, 'The token has enrolled as many nodes as it may', 'Create a new enrolment token.'),
  permission_denied: refusal(
    403,
    'The role lacks the permission',
    'Use a token whose role has the permission that the detail names.',
  ),
  mesh_scope_required: refusal(
    403,
    'The operation concerns the whole mesh',
    'Use a token whose scope is `*` for team, surface and environment.',
  ),
  exceeds_own_rights: refusal(
    403,
    'The request exceeds your own rights',
    'Request less, or ask a person with those rights to do it.',
  ),
  entry_refused: refusal(
    403,
    'The person may not enter the service',
    'Ask an operator of the ingress: its `sign_in` says which groups and people may enter.',
  ),
  not_owner: refusal(
    403,
    'The tag, name or host name has another owner',
    'Ask one of the owners that the detail names, or add an entry to `tag_owners` or `domain_owners` of the policy.',
  ),
  node_mismatch: refusal(
    403,
    'The session belongs to another node',
    'Send the heartbeat to the node that the session is of, and name the same one in the body.',
  ),
  csrf_failed: refusal(
    403,
    'The request does not carry the token of its session',
    'Send `X-CSRF-Token` with what `GET /api/v1/auth/session` gave.',
  ),
  origin_refused: refusal(
    403,
    'The request comes from another site',
    'Send it from the panel’s own pages; `MESH_PANEL_URL` says where those are.',
  ),
  confirmation_required: refusal(
    403,
    'The person has to confirm their identity',
    'Call `POST /api/v1/auth/confirm`, and repeat the request within ten minutes.',
  ),
  not_found: fault(404, 'Not found', 'Check the id. What lies outside the scope of the token is not found either.'),
  route_not_found: fault(404, 'Path not found', 'Compare the path with this reference.'),
  method_not_allowed: fault(405, 'The path does not take this method', 'Use one of those that `Allow` names.'),
  already_exists: fault(409, 'The name is taken', 'Choose another name, or change what already has this one.'),
  idempotency_key_reused: fault(
    409,
    'The idempotency key was used for another request',
    'Make a new key for each new request, and keep it for retries of that one only.',
  ),
  heartbeat_replayed: fault(
    409,
    'The heartbeat is not the newest of its node',
    'Count `seq` up with each heartbeat, and make a new `boot_id` with each start of the agent.',
  ),
  operation_in_progress: fault(
    409,
    'An operation of this kind is under way on the node',
    'Wait for it, or cancel it; the detail names it.',
  ),
  rotation_under_way: fault(
    409,
    'The authorities are being rotated',
    'Wait until the rotation is over, or cancel it before the new authorities are used.',
  ),
  rotation_switched: fault(409, 'The new authorities are in use', 'Start another rotation once this one is over.'),
  root_key_outside: fault(
    409,
    'The key of the root is kept outside',
    'Request an intermediate, sign it with that key, and take it in; or rotate the root.',
  ),
  master_key_refused: fault(
    409,
    'The master key file cannot be used',
    'Mend the file where the coordinator runs; the detail says what is wrong with it. Nothing was changed.',
  ),
  operation_over: fault(409, 'The operation has ended', 'Request a new one.'),
  operation_not_cancellable: fault(
    409,
    'The operation cannot be cancelled',
    'Request its opposite: the description of the operation says which.',
  ),
  node_state: fault(409, 'The state of the node does not allow this', 'Check its `state`.'),
  addresses_exhausted: fault(
    409,
    'Every address of the pool is taken',
    'Remove nodes, or give the mesh a larger `nodes.address_pool` in the settings.',
  ),
  role_built_in: refusal(409, 'Built-in roles cannot be changed', 'Create a custom role beside it.'),
  role_in_use: fault(
    409,
    'The role is in use',
    'Revoke the tokens that have it and take it out of the settings first.',
  ),
  token_maker_ended: refusal(
    409,
    'What made the token has ended, so it cannot be renewed',
    'Create a new token, or ask a caller who may create one like it to rotate it.',
  ),
  token_not_active: refusal(409, 'The token is not active', 'Create a new token, or rotate its successor.'),
  token_delegated: refusal(
    409,
    'The token acts for a person',
    'The panel creates a new one for that person; this one expires within the hour.',
  ),
  setup_closed: refusal(409, 'The panel is already set up', 'Sign in, or ask an owner to invite you.'),
  last_owner: refusal(409, 'At least one owner must remain', 'Make another person owner first.'),
  firewall_cuts_off: fault(
    409,
    'The rules would cut agents off',
    'Accept what agents need in an earlier rule, or send `force` if that is intended; the detail names rule and node.',
  ),
  certificate_in_use: fault(
    409,
    'Ingresses show the certificate',
    'Give the ingresses that the detail names another certificate first.',
  ),
  certificate_ordered: fault(
    409,
    'The certificate comes from an outside authority',
    'Leave it to the authority, or give its ingresses a certificate that you bring.',
  ),
  outside_authority_in_use: fault(
    409,
    'Ingresses get their certificates from the authority',
    'Give the ingresses that the detail names another certificate first.',
  ),
  order_under_way: fault(409, 'The certificate order is under way already', 'Wait until it has succeeded or failed.'),
  waf_in_use: fault(
    409,
    'Ingresses use the WAF policy',
    'Give the routes that the detail names another policy, or none, first.',
  ),
  waf_not_tried: fault(
    409,
    'No gateway could try the request',
    'The detail says why. A gateway needs the packages of the WAF, and a heartbeat that is not stale.',
  ),
  ingress_not_checked: fault(
    409,
    'No node could check the ingress',
    'The detail says why. It takes a node that is no gateway of the ingress, with a fresh heartbeat and an agent that may try flows.',
  ),
  too_many: fault(409, 'The limit is reached', 'Delete one first; the detail names the limit.'),
  revision_mismatch: fault(
    412,
    'The resource has changed meanwhile',
    'Read it again, repeat the change on what is there now, and send its new `ETag`.',
  ),
  body_too_large: fault(
    413,
    'The body is too large',
    'Send less: 64 KiB at most, where the operation does not say otherwise.',
  ),
  unsupported_media_type: fault(415, 'The body must be JSON', 'Send `Content-Type: application/json`.'),
  invalid: fault(422, 'The request is not valid', 'Fix what `errors` points at; all faults are listed at once.'),
  role_reserved: refusal(
    422,
    'The role is not for people',
    'Choose another role: this one acts for every person, and only the panel has it.',
  ),
  policy_invalid: fault(
    422,
    'The policy cannot be read',
    'Fix what `errors` points at, by line and column; nothing was changed.',
  ),
  policy_tests_failed: fault(
    422,
    'Tests of the policy fail',
    'Fix the grants or the tests; `errors` names each test that fails. Nothing was changed.',
  ),
  certificate_refused: fault(
    422,
    'The certificate request asks for what it cannot be given',
    'Make a request without what `errors` names; nothing was issued.',
  ),
  root_key_unproven: fault(
    422,
    'It was not proven that the exported key of the root can be opened',
    'Export the key, and sign the proof with it; nothing was dropped.',
  ),
  intermediate_refused: fault(
    422,
    'The intermediate cannot be taken in',
    'Sign the request again without what `errors` names; nothing was changed.',
  ),
  rate_limited: temporary(429, 'Too many requests', 'Wait as long as `Retry-After` says.'),
  internal: fault(
    500,
    'Something went wrong on our side',
    'Look for the request id in the log of the service, and report it.',
  ),
  busy: temporary(503, 'The coordinator is busy', 'Wait as long as `Retry-After` says.'),
  store_unavailable: temporary(
    503,
    'The store cannot be reached; nothing was written',
    'Try again shortly; `/readyz` says when the store is back.',
  ),
  provider_unavailable: temporary(
    503,
    'The sign-in provider cannot be reached',
    'Try again shortly, or sign in another way.',
  ),
  coordinator_unavailable: temporary(
    503,
    'The coordinator cannot be reached; nothing was done',
    'Try again shortly; `/readyz` of the panel says when the coordinator is back.',
  ),
  outcome_unknown: fault(
    503,
    'The store was lost during the write; it may or may not have taken effect',
    'Read the resource before you try again; a POST with the same `Idempotency-Key` is safe to repeat.',
  ),
  shutting_down: temporary(503, 'The coordinator is shutting down', 'Try again; another replica may answer at once.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];
