/** What came to sections after agents carried them. An agent that does not name one is never given what needs it. */

export const FEATURES = [
  'client_certificates',
  'mesh_identity',
  'given_certificates',
  'sign_in',
  'traffic_counts',
  'ordered_certificates',
] as const;
export type Feature = (typeof FEATURES)[number];
