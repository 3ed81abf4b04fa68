/**
 * Why a sign-in through the provider failed, as the sign-in page gets it: `/sign-in?problem=<code>`. Always one of these, so that
 * no text of a provider or an attacker gets into an address or onto the page. The detail goes to the log and the trail.
 */
const OIDC_PROBLEMS = {
  provider_unavailable: 'The identity provider does not answer.',
  provider_refused: 'The identity provider or the person refused the sign-in.',
  provider_answer_invalid: 'The answer does not belong to a sign-in of this browser, or cannot be trusted.',
  no_role: 'None of the person’s groups has a role.',
  name_taken: 'The name belongs to another account.',
  name_unusable: 'The identity provider sends no usable name.',
  account_disabled: 'The account is disabled.',
  panel_unavailable: 'The panel could not finish the sign-in.',
} as const;

type OidcProblemCode = keyof typeof OIDC_PROBLEMS;

export class OidcProblem extends Error {
  readonly code: OidcProblemCode;
  /** Whether the trail has it. */
  recorded = false;

  constructor(code: OidcProblemCode, options: ErrorOptions = {}) {
    super(OIDC_PROBLEMS[code], options);
    this.name = 'OidcProblem';
    this.code = code;
  }
}

/** For the log, without what a provider or a person sent along. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  // One of the protocol's own words, such as `invalid_client`; the description beside it is free text.
  const said = 'error' in error && /^[a-z_]{1,40}$/.test(String(error.error)) ? ` ${String(error.error)}` : '';
  return `${error.message}${code}${said}${error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : ''}`;
}
